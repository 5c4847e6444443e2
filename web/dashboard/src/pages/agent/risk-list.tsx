/** Risks of a change for readers, detected in its files. */
import type { AgentReview } from '../../../../../src/features/agent/operations/agent.ts'
import type { RiskKind, RiskLevel } from '../../../../../src/features/agent/operations/agent-review.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'

const KIND_LABELS: Record<RiskKind, string> = {
  script: t('script', { context: 'risk' }),
  frame: t('frame', { context: 'risk' }),
  host: t('host', { context: 'risk' }),
  tracker: t('tracker', { context: 'risk' }),
  analytics: t('analytics', { context: 'risk' }),
  deletion: t('deletion', { context: 'risk' }),
  address: t('address', { context: 'risk' }),
  warning: t('warning', { context: 'risk' }),
  hidden: t('hidden', { context: 'risk' }),
  style: t('style', { context: 'risk' }),
  settings: t('settings', { context: 'risk' }),
  command: t('command', { context: 'risk' }),
  contact: t('contact', { context: 'risk' }),
  machines: t('AI agents', { context: 'risk' }),
  data: t('data', { context: 'risk' }),
  picture: t('picture', { context: 'risk' }),
  value: t('value', { context: 'risk' }),
}

const LEVEL_LABELS: Record<RiskLevel, string> = {
  high: t('High', { context: 'risk' }),
  medium: t('Medium', { context: 'risk' }),
  low: t('Low', { context: 'risk' }),
}

export function RiskList({ risks }: { risks: AgentReview['risks'] }) {
  return (
    <ul class="mt-2 max-h-60 overflow-auto text-13">
      {risks.map(({ kind, level = 'high', path, line, what }) => (
        <li key={`${kind} ${path} ${line} ${what}`} class="py-0.5">
          <span class={level === 'high' ? 'text-danger' : 'text-muted'}>{LEVEL_LABELS[level]}</span>{' '}
          <span class="font-medium text-text">
            {Object.hasOwn(KIND_LABELS, kind) ? KIND_LABELS[kind] : kind}
          </span>{' '}
          <code class="break-words">
            <PlainText text={line === null ? path : `${path}:${line}`} />
          </code>{' '}
          <PlainText text={what} />
        </li>
      ))}
    </ul>
  )
}
