/**
 * Renders the feedback section at the end of a page: vote buttons and two links to the repository. A script creates the form
 * after a vote, and adds a button to each code block.
 */
import { isCollecting } from '../../base/api/widgets.ts'
import type { SitePage } from '../../site/model.ts'
import { plainText } from '../html/inline-markup.ts'
import { isEmpty, type Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { lucide } from '../icons/icon-markup.ts'
import { repositoryLinks } from '../links/repository-links.ts'
import type { UiText } from '../words/english.ts'
import { ENGLISH } from '../words/ui-text.ts'
import { linkAttributes } from './links.ts'
import type { SiteView } from './site-view.ts'

/** Maximum length of a prefilled issue title. */
const MAX_TITLE_LENGTH = 120

/** Message keys by name in the feedback script. */
const SCRIPT_TEXT_KEYS = {
  helped: 'feedbackHelped',
  missed: 'feedbackMissed',
  comment: 'feedbackComment',
  email: 'feedbackEmail',
  emailFault: 'feedbackEmailFault',
  send: 'feedbackSend',
  cancel: 'feedbackCancel',
  thanks: 'feedbackThanks',
  undo: 'feedbackUndo',
  undone: 'feedbackUndone',
  more: 'feedbackMore',
  left: 'feedbackLeft',
  dropped: 'feedbackDropped',
  stored: 'feedbackKept',
  save: 'feedbackSave',
  code: 'feedbackCode',
  codeComment: 'feedbackCodeComment',
  codeEmpty: 'feedbackCodeEmpty',
} as const satisfies Record<string, keyof UiText>

const REASONS = {
  yes: ['reasonSolved', 'reasonClear', 'reasonExamples', 'reasonOther'],
  no: ['reasonMissing', 'reasonUnclear', 'reasonWrong', 'reasonBroken', 'reasonOther'],
} as const satisfies Record<string, readonly (keyof UiText)[]>

export function feedbackToolbar(view: SiteView, page: SitePage): Markup {
  const { widgets, deployment } = view.input
  const text = view.text(page.language)
  const links = repositoryItems(view, page, text)
  const gathers = isCollecting(widgets)
  if (!gathers && isEmpty(links)) return []
  const votes = widgets.thumbs ? question(text) : []
  const content = [...votes, ...links]
  const bar = content.length > 0 && html`<div class="feedback-bar">${content}</div>`
  return html`<section class="feedback-toolbar"${attributes({
    'aria-label': text.feedback,
    'data-keep': gathers && deployment === 'air-gapped',
    'data-code': widgets.code,
    'data-labels': gathers ? createLabels(text) : null,
  })}>${bar}</section>`
}

function question(text: UiText): Markup {
  const thumb = (direction: 'up' | 'down', label: string) =>
    html`<button type="button" id="feedback-thumbs-${direction}" class="feedback-thumb" aria-pressed="false">${lucide(`thumbs-${direction}`)}${label}</button>`
  return html`<div class="feedback-question" role="group" aria-labelledby="feedback-question"><span id="feedback-question">${text.feedbackQuestion}</span>${thumb('up', text.feedbackYes)}${thumb('down', text.feedbackNo)}</div>`
}

function repositoryItems(view: SiteView, page: SitePage, text: UiText): Markup {
  const { widgets, repository, origin } = view.input
  const addresses = repository === null ? null : repositoryLinks(repository)
  if (addresses === null) return []
  const file = page.file ?? findLocalSpec(page)
  const link = (href: string, icon: string, label: string) =>
    html`<a class="feedback-link"${linkAttributes(href)}>${lucide(icon)}${label}</a>`
  const edit =
    widgets.suggestEdit && file !== null ? link(addresses.edit(file), 'pencil', text.suggestEdit) : []
  const title = `${text.feedback}: ${plainText(page.title).trim()}`.slice(0, MAX_TITLE_LENGTH)
  const where = `${origin ?? ''}${encodeURI(page.route)}`
  const issue = widgets.raiseIssue
    ? link(addresses.issue(title, `${where}\n\n`), 'circle-alert', text.raiseIssue)
    : []
  const items = [...edit, ...issue]
  return items.length > 0 ? html`<div class="feedback-links">${items}</div>` : []
}

/** Returns the path of the description that defines an API page, unless it is remote. */
function findLocalSpec(page: SitePage): string | null {
  const spec = page.operation?.spec ?? null
  return spec === null || /^[a-z][a-z0-9+.-]*:/i.test(spec) ? null : spec.replace(/^\/+/, '')
}

/**
 * Returns the labels as JSON. Reasons are submitted in English, so that they can be counted across languages.
 */
function createLabels(text: UiText): string {
  const reasons = (keys: readonly (keyof UiText)[]) => keys.map((key) => [ENGLISH[key], text[key]])
  const words = Object.entries(SCRIPT_TEXT_KEYS).map(([name, key]) => [name, text[key]])
  return JSON.stringify({ ...Object.fromEntries(words), yes: reasons(REASONS.yes), no: reasons(REASONS.no) })
}
