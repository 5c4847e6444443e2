/** Every changed file with the reason for the change and a line diff. */
import type { DiffLine, FileDiff } from '../../../base/files/diff-file.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import { html, type Markup, visibleText, when } from './markup.ts'
import { MAX_FILE_LINES, MAX_LINE_CHARACTERS, MAX_PAGE_CHARACTERS, MAX_PAGE_LINES } from './review-limits.ts'
import type { ChangedFile } from './review-view.ts'

export function changesSection(files: readonly ChangedFile[]): Markup {
  if (files.length === 0) return html``
  let left = MAX_PAGE_LINES
  const room = { characters: MAX_PAGE_CHARACTERS }
  const cards = files.map((changed, index) => {
    const lines = changed.diff.hunks.reduce((sum, hunk) => sum + hunk.length, 0)
    const shown = Math.min(lines, MAX_FILE_LINES, left)
    left -= shown
    const hidden = lines - shown + changed.diff.hidden
    return fileCard(changed, index, { shown, hidden, room })
  })
  return html`<section id="changes" aria-labelledby="changes-title">
<h2 id="changes-title">Changes</h2>
${when(files.length > 1, () => fileList(files))}
${cards}
</section>`
}

function fileList(files: readonly ChangedFile[]): Markup {
  return html`<ol class="file-list">
${files.map(
  ({ file, diff }, index) =>
    html`<li><a class="path" href="#file-${index}">${visibleText(file.path)}</a> ${counts(diff)}</li>`,
)}
</ol>`
}

function fileCard(
  { file, diff }: ChangedFile,
  index: number,
  { shown, hidden, room }: { shown: number; hidden: number; room: CharacterBudget },
): Markup {
  return html`<article class="file" id="file-${index}" aria-labelledby="file-name-${index}">
<header>
<h3 id="file-name-${index}"><span class="path">${visibleText(file.path)}</span></h3>
<span class="change" data-change="${file.change}">${file.change}</span>
${counts(diff)}
</header>
${when(file.reason !== null, () => html`<p class="reason" dir="auto">${file.reason}</p>`)}
${when(file.picture !== null, () => pictures(file))}
${when(diff.hunks.length > 0, () => diffTable(file, diff, shown, room))}
${when(diff.hunks.length === 0 && file.picture === null, () => html`<p class="empty">The file has no text.</p>`)}
${when(hidden > 0, () => html`<p class="empty">${plural(hidden, 'further line')} are not shown here; the branch has them.</p>`)}
</article>`
}

/** Shows both sides as images: nothing in an image can run. */
function pictures({ path, picture }: ReviewedFile): Markup {
  const pictureSide = (name: string, address: string | null) =>
    when(
      address !== null,
      () =>
        html`<figure><figcaption>${name}</figcaption><img src="${address}" alt="${name} the change: ${path}" loading="lazy"></figure>`,
    )
  return html`<div class="pictures">${pictureSide('Before', picture?.before ?? null)}${pictureSide('After', picture?.after ?? null)}</div>`
}

/** Remaining number of characters for the following lines. */
interface CharacterBudget {
  characters: number
}

function diffTable(file: ReviewedFile, diff: FileDiff, limit: number, room: CharacterBudget): Markup {
  const rows: Markup[] = []
  let end = 0
  let left = limit
  for (const hunk of diff.hunks) {
    if (left === 0) break
    const first = hunk[0]?.before ?? hunk[0]?.after ?? 1
    if (first > end + 1) rows.push(gap(first - end - 1))
    rows.push(...hunk.slice(0, left).map((line) => diffRow(line, room)))
    left -= Math.min(left, hunk.length)
    end = hunk.findLast(({ before }) => before !== null)?.before ?? end
  }
  return html`<table class="diff">
<caption class="visually-hidden">Lines of ${visibleText(file.path)} that changed</caption>
<colgroup><col class="number"><col class="number"><col class="sign"><col></colgroup>
<thead class="visually-hidden"><tr><th scope="col">Before</th><th scope="col">After</th><th scope="col">Change</th><th scope="col">Text</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`
}

function gap(lines: number): Markup {
  return html`<tr class="gap"><td colspan="4">${plural(lines, 'unchanged line')}</td></tr>
`
}

const SIGNS: Record<DiffLine['kind'], string> = { same: '', added: '+', removed: '−' }

function diffRow({ kind, before, after, parts }: DiffLine, room: CharacterBudget): Markup {
  return html`<tr class="${kind}"><td class="number">${before}</td><td class="number">${after}</td><td class="sign">${SIGNS[kind]}</td><td class="text" dir="auto">${renderParts(kind, parts, room)}</td></tr>
`
}

function renderParts(kind: DiffLine['kind'], parts: DiffLine['parts'], room: CharacterBudget): Markup[] {
  const pieces: Markup[] = []
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  let left = Math.min(MAX_LINE_CHARACTERS, room.characters)
  const further = length - left
  for (const { text, isMarked } of parts) {
    if (left === 0) break
    const shown = text.slice(0, left)
    left -= shown.length
    room.characters -= shown.length
    if (!isMarked) pieces.push(...visibleText(shown))
    else
      pieces.push(
        kind === 'removed' ? html`<del>${visibleText(shown)}</del>` : html`<ins>${visibleText(shown)}</ins>`,
      )
  }
  if (further > 0) pieces.push(html`<span class="unseen">${plural(further, 'further character')}</span>`)
  return pieces
}

function counts({ added, removed }: FileDiff): Markup {
  const classFor = (count: number, name: string) => (count === 0 ? 'none' : name)
  return html`<span class="counts"><span class="${classFor(added, 'added')}">+${added}</span> <span class="${classFor(removed, 'removed')}">−${removed}</span></span>`
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`
}
