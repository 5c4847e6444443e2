/**
 * At first, Chromium does not connect a page opened from disk with its storage. Accessing storage at that time makes
 * storage unavailable until the page is closed. The first frame comes later, but still before the first paint.
 */
export function whenStorageIsReady(callback: () => void): void {
  if (location.protocol === 'file:') requestAnimationFrame(callback)
  else callback()
}
