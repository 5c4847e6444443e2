/**
 * Ids in the chrome, on which sites' styles and scripts depend. If the chrome comes before the text, a heading of the
 * same name could not be reached, so it gets a different id; if the text comes first, the chrome omits the id on that
 * page.
 */
export const IDS_BEFORE_TEXT: readonly string[] = (
  'banner body-content changelog-filters changelog-filters-content content content-area content-columns header ' +
  'localization-select-trigger navbar page-context-menu page-context-menu-button page-title search-bar-entry ' +
  'search-bar-entry-mobile sidebar sidebar-content table-of-contents table-of-contents-content ' +
  'table-of-contents-layout topbar-cta-button'
).split(' ')

/** Returns the id for an element of the chrome after the text; null if the text uses it. */
export type IdsAfterText = (id: string) => string | null

/** `taken` are the ids of the text, one per line. */
export function idsAfterText(textIds: string): IdsAfterText {
  const lines = `\n${textIds}\n`
  return (id) => (lines.includes(`\n${id}\n`) ? null : id)
}
