/**
 * Chromium connects a page opened from disk with its storage only after a delay. Accessing storage before that makes
 * it unavailable until the page is closed. Such pages wait for the first frame, which is still before the first paint.
 */
export function whenStorageIsReady(callback: () => void): void {
  if (location.protocol === 'file:') requestAnimationFrame(callback)
  else callback()
}
