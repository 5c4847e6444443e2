/** The code that a change rests on, as it was looked up. */

import type { AgentReview } from '../operations/agent.ts'
import { placeOf } from '../publish/request-text.ts'
import { html, type Markup, plainly, when } from './markup.ts'

export function referenceSection({ references, dropped }: AgentReview): Markup {
  if (references.length + dropped.length === 0) return html``
  return html`<section class="prompts" aria-labelledby="code">
<h2 id="code">Based on code</h2>
${when(references.length > 0, () => html`<ul>${references.map(line)}</ul>`)}
${when(dropped.length > 0, () => html`<p>The agent named code that was not found there:</p><ul>${dropped.map((one) => html`<li dir="auto">${plainly(one)}</li>`)}</ul>`)}
</section>`
}

function line(reference: AgentReview['references'][number]): Markup {
  const { claim, link } = reference
  const place = html`<code>${plainly(placeOf(reference))}</code>`
  return html`<li dir="auto">${plainly(claim)} ${link === null ? place : html`<a href="${link}">${place}</a>`}</li>`
}
