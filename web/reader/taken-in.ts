/**
 * Chromium takes a page from disk for a stranger for its first moments: who then asks for what is kept makes it keep
 * nothing, for as long as it is open. The first frame comes later, and still before anything is painted.
 */
export function onceTakenIn(act: () => void): void {
  if (location.protocol === 'file:') requestAnimationFrame(act)
  else act()
}
