/**
 * A large navigation is one script that all its pages share: the list as HTML, with these marks in it. A page names in
 * `data-slots` of its own, shorter list what to fill in.
 *
 * The script sets the global `__octavoNavigation`; calling that puts the whole list in the place of the short one.
 */

/** In front of links, where the way from the page to the root of the site belongs. */
export const ROOT_MARK = '\u007f'

/** An attribute that stands where something may be filled in. */
export const SLOT = / data-slot="([^"]*)"/g

export function slotMark(name: string): string {
  return ` data-slot="${name}"`
}

/** What a slot is filled with: those of entries begin with `p`, those of groups with `g`. */
export function slotValue(name: string): string {
  return name.startsWith('p') ? ' aria-current="page" data-active="true"' : ' open'
}
