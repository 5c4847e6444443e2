/** Contents of a page: a column at the right of wide screens, a line that opens on smaller ones. One list for both. */
import type { Markup } from '../html/markup.ts'
import { breakable, html } from '../html/template.ts'
import { lucide } from '../icons/icon-markup.ts'
import type { TocEntry } from '../page/body.ts'
import type { UiText } from '../words/languages/en.ts'

/** Empty when there is nothing to choose from. `actions` stand below the list where there is room. */
export function tocHtml(
  entries: readonly TocEntry[],
  updateTags: readonly string[],
  text: UiText,
  actions: Markup,
): Markup {
  if (updateTags.length > 0) return tagFilters(updateTags, text, actions)
  const shown = entries.filter((entry) => entry.text.trim() !== '')
  if (shown.length === 0) return []
  const top = Math.min(...shown.map((entry) => entry.level))
  const items = shown.flatMap(
    ({ level, id, text }) =>
      html`<li class="toc-item" data-depth="${level - top}"><a href="#${encodeFragment(id)}">${breakable(text)}</a></li>`,
  )
  return html`<div id="table-of-contents-layout"><nav id="table-of-contents" class="toc" aria-label="${text.onThisPage}"><button type="button" class="toc-title" aria-expanded="false" aria-controls="table-of-contents-content">${lucide('text-align-start')}<span>${text.onThisPage}</span><span class="chevron" aria-hidden="true"></span></button><ul id="table-of-contents-content">${items}</ul>${actions}</nav></div>`
}

function tagFilters(tags: readonly string[], text: UiText, actions: Markup): Markup {
  const buttons = [...new Set(tags)].flatMap(
    (tag) =>
      html`<button type="button" class="tag-filter" aria-pressed="false" data-tag="${tag}">${tag}</button>`,
  )
  return html`<div id="table-of-contents-layout"><div id="changelog-filters" class="toc" role="group" aria-label="${text.onThisPage}"><div id="changelog-filters-content">${buttons}</div>${actions}</div></div>`
}

/** Ids hold letters of any script, which stay readable; what would end the address is encoded. */
function encodeFragment(id: string): string {
  return id.replace(/[%\s"<>`]/g, (character) => encodeURIComponent(character))
}
