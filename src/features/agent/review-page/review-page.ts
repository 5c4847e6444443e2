/** The page on which a person decides on a change of a repository that has no forge. */
import type { AgentReview } from '../operations/agent.ts'
import { changesSection, plural } from './changes-section.ts'
import { decisionSection } from './decision-section.ts'
import { html, type Markup, plainly, toText, when } from './markup.ts'
import { previewSection } from './preview-section.ts'
import { referenceSection } from './reference-section.ts'
import type { ChangedFile, ReviewView } from './review-view.ts'
import { riskSection } from './risk-section.ts'

/** What the page loads, and the word that its policy asks of it. */
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
<h1 dir="auto">${plainly(title)}</h1>
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

/** The same for a job that does not exist and for a link that is not right. */
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
<div><dt>Started</dt><dd><time datetime="${job.createdAt}">${timeWords(job.createdAt)}</time></dd></div>
</dl>`
}

/** A folder of the server is named by its last part: whoever has the link need not know where it lies. */
function repositoryName(repository: string): string {
  return /^[a-z+]+:\/\/|@/i.test(repository)
    ? repository
    : (repository.split('/').findLast(Boolean) ?? repository)
}

function prompts({ prompts }: AgentReview): Markup {
  if (prompts.length === 0) return html``
  return html`<section class="prompts" aria-labelledby="asked">
<h2 id="asked">${prompts.length === 1 ? 'What was asked' : 'What was asked, in order'}</h2>
${prompts.map((prompt) => onePrompt(prompt))}
</section>`
}

/** A prompt may be most of a megabyte. */
const PROMPT_SHOWN = 4000

function onePrompt(prompt: string): Markup {
  const shown = prompt.length > PROMPT_SHOWN ? `${prompt.slice(0, PROMPT_SHOWN)}…` : prompt
  return html`<blockquote dir="auto">${paragraphs(shown.trim() === '' ? '(blank)' : shown)}</blockquote>`
}

function paragraphs(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${paragraph.trim()}</p>`)
}

/** `21 Nov 2026, 09:30 UTC` */
function timeWords(iso: string): string {
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${words.format(new Date(iso))} UTC`
}
