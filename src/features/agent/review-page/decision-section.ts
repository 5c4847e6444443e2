/** What can be decided, and how: with a key in the form, or from the command line. */
import { html, type Markup, when } from './markup.ts'
import type { ReviewView } from './review-view.ts'

export function decisionSection(view: ReviewView): Markup {
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
