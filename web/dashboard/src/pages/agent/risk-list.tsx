/** What a change could do to readers, found in its files. */
import type { AgentReview } from '../../../../../src/contract/agent.ts'
import { PlainText } from '../../ui/plain-text.tsx'

export function RiskList({ risks }: { risks: AgentReview['risks'] }) {
  return (
    <ul class="mt-2 max-h-60 overflow-auto text-13">
      {risks.map(({ kind, path, line, what }) => (
        <li key={`${kind} ${path} ${line} ${what}`} class="py-0.5">
          <span class="font-medium text-text">{kind}</span>{' '}
          <code class="break-all">
            <PlainText text={line === null ? path : `${path}:${line}`} />
          </code>{' '}
          <PlainText text={what} />
        </li>
      ))}
    </ul>
  )
}
