/**
 * Ids of the frame around the text of a page, which sites' own styles and scripts know. A heading of the same name would
 * not be reached where the frame comes first, so that it is called otherwise; where the text comes first, the frame is
 * without the id on that page.
 */
export const IDS_BEFORE_TEXT: readonly string[] = (
  'banner body-content changelog-filters changelog-filters-content content content-area content-columns header ' +
  'localization-select-trigger navbar page-context-menu page-context-menu-button page-title search-bar-entry ' +
  'search-bar-entry-mobile sidebar sidebar-content table-of-contents table-of-contents-content ' +
  'table-of-contents-layout topbar-cta-button'
).split(' ')

/** The id of a part of the frame that comes after the text; null where the text has it. */
export type IdsAfterText = (id: string) => string | null

/** `taken`: ids of the text, one a line. */
export function idsAfterText(taken: string): IdsAfterText {
  const lines = `\n${taken}\n`
  return (id) => (lines.includes(`\n${id}\n`) ? null : id)
}
