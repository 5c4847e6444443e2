/** Renders the table of contents: a column on wide screens, a collapsible line on others. */
import type { Markup } from '../html/markup.ts'
import { breakable, html } from '../html/template.ts'
import { lucide } from '../icons/icon-markup.ts'
import type { TocEntry } from '../page/table-of-contents.ts'
import type { UiText } from '../words/english.ts'

/** Returns nothing if there are no entries. `actions` are added below the list. */
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

/** Encodes only characters that would end the URL. Letters of all scripts remain readable. */
function encodeFragment(id: string): string {
  return id.replace(/[%\s"<>`]/g, (character) => encodeURIComponent(character))
}
