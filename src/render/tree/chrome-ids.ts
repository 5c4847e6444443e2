/**
 * Ids of layout elements, on which styles and scripts of sites depend. If such an element precedes a heading with the
 * same id, links would not reach the heading, so it gets a different id. If the heading comes first, the layout omits
 * its own id on that page.
 */
export const IDS_BEFORE_TEXT: readonly string[] = (
  'banner body-content changelog-filters changelog-filters-content content content-area content-columns header ' +
  'localization-select-trigger navbar page-context-menu page-context-menu-button page-title search-bar-entry ' +
  'search-bar-entry-mobile sidebar sidebar-content table-of-contents table-of-contents-content ' +
  'table-of-contents-layout topbar-cta-button'
).split(' ')

/** Returns the id for a layout element after the page's text; null if the text already uses that id. */
export type IdsAfterText = (id: string) => string | null

/** `textIds` contains the ids of the text, one per line. */
export function idsAfterText(textIds: string): IdsAfterText {
  const lines = `\n${textIds}\n`
  return (id) => (lines.includes(`\n${id}\n`) ? null : id)
}
