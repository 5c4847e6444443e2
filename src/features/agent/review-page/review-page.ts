/** The page on which a person decides on a change in a repository without a forge. */
import type { AgentReview } from '../operations/agent.ts'
import { formatCodeLocation, ONLY_PRESENCE } from '../publish/request-text.ts'
import type { PreviewedPage } from '../review/review-previews.ts'
import { changesSection, plural } from './changes-section.ts'
import { html, type Markup, toText, visibleText, when } from './markup.ts'
import type { ChangedFile, ReviewView } from './review-view.ts'

/** Paths of the page's assets, and the nonce of its content security policy. */
export interface PageFrame {
  stylePath: string
  scriptPath: string
  nonce: string
}

export function reviewPage(view: ReviewView, frame: PageFrame): string {
  const { review } = view
  const title = titleOf(review)
  return page(
    frame,
    `${title} · Octavo review`,
    html`<header class="bar">
<div class="bar-inner">
<span class="brand">Octavo <span class="brand-part">Review</span></span>
${statePill(review)}
<nav aria-label="On this page">
${when(view.previews.length > 0, () => html`<a href="#preview">Preview</a>`)}
${when(view.files.length > 0, () => html`<a href="#changes">Changes</a>`)}
<a href="#decision">Decision</a>
</nav>
</div>
</header>
<main>
<div class="top">
<div class="story">
<h1 dir="auto">${visibleText(title)}</h1>
${facts(review, view.files)}
${when(review.job.error !== null, () => html`<p class="notice" role="note">${review.job.error}</p>`)}
${riskSection(review)}
${when(review.summary !== null, () => html`<div class="summary" dir="auto">${paragraphs(review.summary ?? '')}</div>`)}
${referenceSection(review)}
${prompts(review)}
</div>
${decisionSection(view)}
</div>
${previewSection(view.previews)}
${changesSection(view.files)}
</main>`,
  )
}

/** The same response for a job that does not exist and for an invalid link. */
export function missingReviewPage(frame: PageFrame): string {
  return page(
    frame,
    'Not found · Octavo review',
    html`<main class="missing">
<h1>There is no such review</h1>
<p>The link is incomplete, or the job is not there any more. Open the job's <code>prLink</code> again, or list the jobs
with <code>octavo agent list</code>.</p>
</main>`,
  )
}

function page(frame: PageFrame, title: string, body: Markup): string {
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${frame.stylePath}" nonce="${frame.nonce}">
<script src="${frame.scriptPath}" nonce="${frame.nonce}" defer></script>
</head>
<body>
${body}
</body>
</html>
`)
}

function titleOf({ job }: AgentReview): string {
  return job.title ?? 'A change of the documentation'
}

const STATES: Record<AgentReview['state'], string> = {
  none: 'Nothing to decide',
  open: 'Open',
  merged: 'Accepted',
  closed: 'Declined',
}

function statePill({ state, job }: AgentReview): Markup {
  const isAtWork = job.status === 'active'
  return html`<span class="pill" data-state="${isAtWork ? 'active' : state}">${isAtWork ? 'Agent at work' : STATES[state]}</span>`
}

function facts({ job }: AgentReview, files: readonly ChangedFile[]): Markup {
  const added = files.reduce((sum, { diff }) => sum + diff.added, 0)
  const removed = files.reduce((sum, { diff }) => sum + diff.removed, 0)
  return html`<dl class="facts">
<div><dt>Into</dt><dd><code>${job.source.ref}</code> of <span class="path">${repositoryName(job.source.repository)}</span></dd></div>
${when(job.branch !== null, () => html`<div><dt>From</dt><dd><code>${job.branch}</code></dd></div>`)}
<div><dt>Size</dt><dd>${plural(files.length, 'file')}, <span class="added">+${added}</span> <span class="removed">−${removed}</span></dd></div>
<div><dt>Model</dt><dd>${job.model.replace(/^[^:]*:/, '')}</dd></div>
<div><dt>Started</dt><dd><time datetime="${job.createdAt}">${formatTime(job.createdAt)}</time></dd></div>
</dl>`
}

/** Shows only the last part of a server path, since the holder of a link need not know its location. */
function repositoryName(repository: string): string {
  return /^[a-z+]+:\/\/|@/i.test(repository)
    ? repository
    : (repository.split('/').findLast(Boolean) ?? repository)
}

function prompts({ prompts }: AgentReview): Markup {
  if (prompts.length === 0) return html``
  return html`<section class="prompts" aria-labelledby="asked">
<h2 id="asked">${prompts.length === 1 ? 'What was asked' : 'What was asked, in order'}</h2>
${prompts.map((prompt) => promptBlock(prompt))}
</section>`
}

/** Maximum number of characters shown: a prompt may be almost a megabyte. */
const PROMPT_SHOWN = 4000

function promptBlock(prompt: string): Markup {
  const shown = prompt.length > PROMPT_SHOWN ? `${prompt.slice(0, PROMPT_SHOWN)}…` : prompt
  return html`<blockquote dir="auto">${paragraphs(shown.trim() === '' ? '(blank)' : shown)}</blockquote>`
}

function paragraphs(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${paragraph.trim()}</p>`)
}

/** Formats a time as `21 Nov 2026, 09:30 UTC`. */
function formatTime(iso: string): string {
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${words.format(new Date(iso))} UTC`
}

/** The risks of a change for readers, placed before the agent's own report. */
function riskSection({ risks, needsSecondYes }: AgentReview): Markup {
  if (risks.length === 0) return html``
  return html`<section class="risks notice" aria-labelledby="risks-title">
<h2 id="risks-title">Look at these first</h2>
${when(needsSecondYes, () => html`<p>Every file of this change has a high risk: accepting it takes a second yes.</p>`)}
<ul>
${risks.map(
  ({ kind, level, path, line, what }) =>
    html`<li>${level ?? 'high'}, <strong>${kind}</strong> <code>${visibleText(line === null ? path : `${path}:${line}`)}</code> ${visibleText(what)}</li>
`,
)}
</ul>
</section>`
}

/** The verified code references of a change. */
function referenceSection({ references, dropped }: AgentReview): Markup {
  if (references.length + dropped.length === 0) return html``
  return html`<section class="prompts" aria-labelledby="code">
<h2 id="code">Based on code</h2>
${when(references.length > 0, () => html`<p>${ONLY_PRESENCE}</p><ul>${references.map(line)}</ul>`)}
${when(dropped.length > 0, () => html`<p>The agent named code that was not found there:</p><ul>${dropped.map((one) => html`<li dir="auto">${visibleText(one)}</li>`)}</ul>`)}
</section>`
}

function line(reference: AgentReview['references'][number]): Markup {
  const { claim, link, quote } = reference
  const quotation = quote === undefined ? html`` : html`: <code>${visibleText(quote)}</code>`
  const place = html`<code>${visibleText(formatCodeLocation(reference))}</code>`
  return html`<li dir="auto">${visibleText(claim)} ${link === null ? place : html`<a href="${link}">${place}</a>`}${quotation}</li>`
}

/** The changed pages before and after, as readers see them. Switching between several pages needs the script. */
function previewSection(pages: readonly PreviewedPage[]): Markup {
  const [first] = pages
  if (first === undefined) return html``
  return html`<section id="preview" aria-labelledby="preview-title">
<div class="preview-bar">
<h2 id="preview-title">Preview</h2>
${pages.length === 1 ? html`<span class="path">${visibleText(first.path)}</span>` : pagePicker(pages)}
<fieldset class="segments">
<legend class="visually-hidden">Show</legend>
<label><input type="radio" name="view" id="view-both" value="both" checked>Both</label>
<label><input type="radio" name="view" id="view-before" value="before">Before</label>
<label><input type="radio" name="view" id="view-after" value="after">After</label>
</fieldset>
</div>
<div class="previews">
${previewFrame('before', 'Before', first.before, first.path)}
${previewFrame('after', 'After', first.after, first.path)}
</div>
${when(pages.length > 1, () => withoutScript(pages))}
</section>`
}

/** Shown by the script; without one the pages are links. */
function pagePicker(pages: readonly PreviewedPage[]): Markup {
  return html`<label class="page-picker" hidden><span class="visually-hidden">Page</span><select id="preview-page">
${pages.map(
  ({ path, before, after }) =>
    html`<option value="${path}" data-before="${before}" data-after="${after}">${path}</option>`,
)}
</select></label>`
}

/** A sandboxed iframe with an opaque origin: scripts of the page run in it without access to anything of ours. */
function previewFrame(name: 'before' | 'after', title: string, address: string | null, path: string): Markup {
  return html`<figure class="${name}">
<figcaption>${title} <a class="open-preview" target="_blank" rel="noopener" href="${address}"${hiddenAttribute(address === null)}>Open<span class="visually-hidden"> the page as it is ${name} the change</span></a></figcaption>
<iframe title="${title}: ${path}" sandbox="allow-scripts allow-popups" loading="lazy" referrerpolicy="no-referrer"${address === null ? html`` : html` src="${address}"`}${hiddenAttribute(address === null)}></iframe>
<p class="no-page"${hiddenAttribute(address !== null)}>${name === 'before' ? 'The page is new.' : 'The page is gone.'}</p>
</figure>`
}

function hiddenAttribute(isHidden: boolean): Markup {
  return isHidden ? html` hidden` : html``
}

function withoutScript(pages: readonly PreviewedPage[]): Markup {
  const link = (address: string | null, word: string) =>
    address === null ? html`` : html`<a target="_blank" rel="noopener" href="${address}">${word}</a>`
  return html`<noscript><ul class="preview-links">
${pages.map(({ path, before, after }) => html`<li><span class="path">${visibleText(path)}</span> ${link(before, 'Before')} ${link(after, 'After')}</li>`)}
</ul></noscript>`
}

/** The possible decisions, by a key in the form or from the command line. */
function decisionSection(view: ReviewView): Markup {
  return html`<section id="decision" class="decision" aria-labelledby="decision-title">
<h2 id="decision-title">Decision</h2>
${decision(view)}
</section>`
}

function decision(view: ReviewView): Markup {
  const { job, state, isLocal } = view.review
  if (job.status === 'active')
    return html`<p>The agent is at work on this change. Load the page again when it has finished.</p>`
  switch (state) {
    case 'merged':
      return html`<p><strong>Accepted.</strong> The change is in <code>${job.source.ref}</code>.</p>`
    case 'closed':
      return html`<p><strong>Declined.</strong> <code>${job.source.ref}</code> stays as it was.</p>`
    case 'none':
      return html`<p>${job.status === 'failed' ? 'The job has failed, and nothing was changed.' : 'The job has changed no file.'}</p>`
    case 'open':
      return isLocal ? openDecision(view) : decidedAtForge(job.pullRequests.at(-1)?.link ?? job.prLink)
  }
}

function decidedAtForge(prLink: string | null): Markup {
  const url = URL.parse(prLink ?? '')
  if (url === null || !/^https?:$/.test(url.protocol)) return html`<p>Decide on this change at the forge.</p>`
  return html`<p>Decide on this change at <a href="${url.href}" rel="noreferrer">${url.host}</a>.</p>`
}

function openDecision(view: ReviewView): Markup {
  const { job, needsSecondYes } = view.review
  const path = `/v2/agent/${encodeURIComponent(view.projectId)}/job/${encodeURIComponent(job.id)}`
  return html`<p>Accepting merges the change into <code>${job.source.ref}</code>. Declining leaves <code>${job.source.ref}</code> as it is.</p>
<form id="decision-form" data-path="${path}" autocomplete="off" hidden>
<label for="admin-key">Admin API key</label>
<input id="admin-key" name="admin-key" type="password" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="admin-key-help">
<p id="admin-key-help" class="help">With the scope <code>write</code>. It is sent with the decision and kept nowhere.</p>
${when(needsSecondYes, () => html`<p class="second-yes"><label><input id="confirm-risks" name="confirm-risks" type="checkbox"> I have looked at the risks that are named.</label></p>`)}
<div class="buttons">
<button type="submit" class="primary" value="accept">Accept</button>
<button type="submit" value="decline">Decline…</button>
</div>
<p id="decision-answer" class="answer" role="alert"></p>
</form>
<dialog id="decline-dialog" aria-labelledby="decline-title">
<form method="dialog">
<h3 id="decline-title" dir="auto">Decline “${job.title ?? 'this change'}”?</h3>
<p>Its branch goes, and the job takes no more messages.</p>
<div class="buttons">
<button type="submit" value="decline" class="danger">Decline</button>
<button type="submit" value="cancel" autofocus>Keep it open</button>
</div>
</form>
</dialog>
<noscript><p class="notice">The form needs JavaScript. Without it, decide from a command line.</p></noscript>
<details class="by-hand">
<summary>From a command line</summary>
<pre tabindex="0"><code>octavo agent accept ${job.id} --project ${view.projectId}${needsSecondYes ? ' --confirm-risks' : ''}
octavo agent decline ${job.id} --project ${view.projectId}</code></pre>
<pre tabindex="0"><code>curl -X POST -H "Authorization: Bearer $OCTAVO_KEY" \\
  ${view.publicUrl}${path}/accept${needsSecondYes ? '?confirmRisks=true' : ''}</code></pre>
</details>
${when(view.files.length > 0, () => html`<p class="help">For something else in the change, send the job a message: <code>octavo agent message ${job.id} "…" --project ${view.projectId}</code></p>`)}`
}
