import { interpretationsOf, queryOf, unknownHostIn } from './query.ts';
import { navigate, navigateToUnknown } from './router.ts';

/**
 * Looks up a pasted or dropped text at once if it contains links of a platform, and explains a link of another site.
 * Words and IDs wait until the visitor submits them, because they can have several meanings. Returns whether it did.
 */
export function openText(text: string): boolean {
  if (unknownHostIn(text) !== undefined) {
    navigateToUnknown(text.trim());
    return true;
  }
  const query = queryOf(text);
  if (query === undefined || query.link.endpoint === 'search') return false;
  if (query.links === undefined && interpretationsOf(text).length > 1) return false;
  navigate(query);
  return true;
}

/** Looks up links that are pasted or dropped anywhere on the page, except into a text field. */
export function openDroppedTexts(): void {
  document.addEventListener('paste', (event) => {
    if (isTextField(event.target)) return;
    openText(event.clipboardData?.getData('text/plain') ?? '');
  });
  document.addEventListener('dragover', (event) => {
    if (isTextField(event.target) || !hasText(event.dataTransfer)) return;
    event.preventDefault();
    document.documentElement.classList.add('dragging');
  });
  for (const end of ['dragleave', 'drop', 'dragend'] as const) {
    document.addEventListener(end, () => document.documentElement.classList.remove('dragging'));
  }
  document.addEventListener('drop', (event) => {
    if (isTextField(event.target) || !hasText(event.dataTransfer)) return;
    event.preventDefault();
    const { dataTransfer } = event;
    openText(dataTransfer?.getData('text/uri-list') || dataTransfer?.getData('text/plain') || '');
  });
}

function hasText(data: DataTransfer | null): boolean {
  return data !== null && (data.types.includes('text/uri-list') || data.types.includes('text/plain'));
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"], [type="radio"], [type="range"]), textarea') !== null
  );
}
