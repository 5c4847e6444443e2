/** What a change could do to readers, before anything that the agent says of it. */
import type { AgentReview } from '../operations/agent.ts'
import { html, type Markup, plainly, when } from './markup.ts'

export function riskSection({ risks, needsSecondYes }: AgentReview): Markup {
  if (risks.length === 0) return html``
  return html`<section class="risks notice" aria-labelledby="risks-title">
<h2 id="risks-title">Look at these first</h2>
${when(needsSecondYes, () => html`<p>Every file of this change has a risk that weighs: accepting it takes a second yes.</p>`)}
<ul>
${risks.map(
  ({ kind, path, line, what }) =>
    html`<li><strong>${kind}</strong> <code>${plainly(line === null ? path : `${path}:${line}`)}</code> ${plainly(what)}</li>
`,
)}
</ul>
</section>`
}
