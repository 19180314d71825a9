import { useEffect, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';

/**
 * Creates a component that is loaded when it is first shown. Until then, it shows nothing; if it cannot be loaded, what
 * to do. Browsers do not request a script again that failed to load, until the page is reloaded.
 *
 * @param load Imports the component.
 */
export function lazy<Props extends object>(load: () => Promise<(props: Props) => View>): (props: Props) => View {
  let pending: Promise<(props: Props) => View> | undefined;
  return function Lazy(props: Props): View {
    // An object, because a state that is a function would be called.
    const [loaded, setLoaded] = useState<{ readonly component: ((props: Props) => View) | undefined }>();
    useEffect(() => {
      pending ??= load();
      pending.then(
        (component) => setLoaded({ component }),
        () => setLoaded({ component: undefined }),
      );
    }, []);
    if (loaded === undefined) return null;
    const { component } = loaded;
    if (component === undefined) return html`<p class="soft" role="alert">${messages().app.partMissing}</p>`;
    return html`<${component} ...${props} />`;
  };
}
