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

const ID_AFTER_TEXT =
  / id="(?:content-side-layout|footer|pagination|panel|request-example|response-example)"/g

/** What stands after a text, without the ids that the text has. */
export function afterText(text: string): (html: string) => string {
  const taken = new Set(text.match(ID_AFTER_TEXT))
  return (html) => {
    let left = html
    for (const id of taken) left = left.replaceAll(id, '')
    return left
  }
}
