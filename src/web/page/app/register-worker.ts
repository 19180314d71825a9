/** Registers the service worker after the page has loaded, so that it does not delay the first view. */
export function registerWorker(): void {
  // Absent over plain HTTP and in some private windows.
  if (!('serviceWorker' in navigator)) return;
  // A language that had to be loaded first may have taken longer than the page.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}

function register(): void {
  // The page works without a worker: only its offline view needs one. The browser reports why it refused.
  navigator.serviceWorker.register('./service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
}
