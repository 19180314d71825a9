import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { messages } from '../language/language.ts';
import type { QrCode } from './qr-code.ts';

interface PhoneDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

/** Shows the address of the page as a QR code, so that a phone can open it. */
export function PhoneDialog({ address, onClose }: PhoneDialogProps): View {
  const { share: texts } = messages().tools;
  const dialog = useRef<HTMLDialogElement>(null);
  const [code, setCode] = useState<QrCode | 'failed' | 'too-long'>();
  useEffect(() => {
    dialog.current?.showModal();
    import('./qr-code.ts').then(
      ({ qrCodeOf }) => setCode(qrCodeOf(address) ?? 'too-long'),
      () => setCode('failed'),
    );
  }, [address]);
  const close = () => dialog.current?.close();
  // A click outside the box hits the dialog itself.
  const onClick = ({ target }: MouseEvent) => {
    if (target === dialog.current) close();
  };
  return html`
    <dialog ref=${dialog} class="phone-dialog" aria-labelledby="phone-title" onClose=${onClose} onClick=${onClick}>
      <div class="phone-box">
        <header>
          <h2 id="phone-title">${texts.scan}</h2>
          <button type="button" class="plain icon-button" aria-label=${texts.close} onClick=${close}>
            <${Icon} name="close" />
          </button>
        </header>
        <${Code} code=${code} address=${address} />
        <p class="soft small">${texts.scanHint}</p>
        <p class="small address">${address}</p>
      </div>
    </dialog>
  `;
}

function Code({ code, address }: { code: QrCode | 'failed' | 'too-long' | undefined; address: string }): View {
  const { share: texts } = messages().tools;
  if (code === undefined) return html`<span class="skeleton qr"></span>`;
  if (code === 'failed') return html`<p class="fault" role="alert">${texts.codeFailed}</p>`;
  if (code === 'too-long') return html`<p class="fault" role="alert">${texts.tooLong}</p>`;
  return html`
    <svg class="qr" viewBox=${code.viewBox} role="img" aria-label=${texts.code(address)}><path d=${code.path} /></svg>
  `;
}
