/**
 * A large navigation is stored in a script that all pages share: the list as HTML, with the marks below. The
 * shorter list in each page names the slots to fill in its `data-slots` attribute.
 *
 * The script sets the global `__octavoNavigation`; calling it replaces the short list with the full one.
 */

/** Prefix of links, replaced by the relative path from the page to the root of the site. */
export const ROOT_MARK = '\u007f'

export const SLOT = / data-slot="([^"]*)"/g

export function slotPlaceholder(name: string): string {
  return ` data-slot="${name}"`
}

/** Returns the attributes to insert in a slot. Slots of entries begin with `p`, those of groups with `g`. */
export function slotValue(name: string): string {
  return name.startsWith('p') ? ' aria-current="page" data-active="true"' : ' open'
}
