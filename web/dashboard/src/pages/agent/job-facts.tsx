/** Beside the steps: the plan, how much of the caps is used, what it costs, what it works on and answers. */
import type { ComponentChildren } from 'preact'
import type { AgentWorkDetail } from '../../../../../src/contract/dashboard-work.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useNow } from '../use-now.ts'
import type { EventData } from './job-events.ts'
import { money } from './job-words.ts'

export function JobFacts({
  projectId,
  work,
  usage,
  plan,
}: {
  projectId: string
  work: AgentWorkDetail
  usage: EventData<'usage'> | null
  plan: EventData<'plan'> | null
}) {
  const { job, feedback } = work
  return (
    <div class="space-y-7">
      {plan !== null && plan.items.length > 0 && (
        <Part
          title={`Plan, ${plan.items.filter(({ state }) => state === 'done').length} of ${plan.items.length}`}
        >
          <ol class="space-y-1.5">
            {plan.items.map(({ text, state }, index) => (
              <li key={index} class="flex gap-2 text-13">
                <span class="flex h-5 items-center">
                  <Icon
                    name={PLAN_ICONS[state]}
                    size={14}
                    label={PLAN_WORDS[state]}
                    class={
                      state === 'done'
                        ? 'text-success'
                        : state === 'at_work'
                          ? 'text-accent-11'
                          : 'text-faint'
                    }
                  />
                </span>
                <span
                  class={classes('min-w-0 flex-1 break-words', state === 'done' && 'text-soft')}
                  dir="auto"
                >
                  <PlainText text={text} />
                </span>
              </li>
            ))}
          </ol>
        </Part>
      )}
      <Part title={job.status === 'active' ? 'This turn, of its caps' : 'Last turn, of its caps'}>
        <Caps work={work} usage={usage} />
      </Part>
      <Part title="Cost">
        <dl class="space-y-1 text-13">
          <Row label="So far">{money(usage?.costUsd ?? work.costUsd) ?? 'no price is set'}</Row>
          <Row label="Tokens in">{(usage?.inputTokens ?? job.usage.inputTokens).toLocaleString('en-GB')}</Row>
          <Row label="Tokens out">
            {(usage?.outputTokens ?? job.usage.outputTokens).toLocaleString('en-GB')}
          </Row>
        </dl>
      </Part>
      <Part title="Works on">
        <dl class="space-y-1 text-13">
          <Row label="Branch">
            <PlainText text={job.source.ref === 'HEAD' ? 'default branch' : job.source.ref} />
          </Row>
          {job.branch !== null && (
            <Row label="Its own">
              <span class="font-mono text-12 break-all">
                <PlainText text={job.branch} />
              </span>
            </Row>
          )}
          <Row label="Repository">
            <span class="font-mono text-12 break-all">
              <PlainText text={job.source.repository} />
            </span>
          </Row>
          <Row label="Model">
            <PlainText text={job.model} />
          </Row>
        </dl>
      </Part>
      {feedback.length > 0 && (
        <Part title="Answers">
          <ul class="space-y-1.5">
            {feedback.map(({ id, path, comment }) => (
              <li key={id} class="text-13">
                <Link look="quiet" href={`/p/${projectId}/feedback?entry=${id}`} class="block truncate">
                  <span class="font-mono text-12 text-soft">
                    <PlainText text={path} />
                  </span>{' '}
                  <PlainText text={comment ?? ''} />
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

const PLAN_ICONS = { open: 'circle', at_work: 'circle-dot', done: 'circle-check' } as const
const PLAN_WORDS = { open: 'Open', at_work: 'At work', done: 'Done' }

function Caps({ work, usage }: { work: AgentWorkDetail; usage: EventData<'usage'> | null }) {
  const { caps, turn, job } = work
  const isActive = job.status === 'active'
  const now = useNow(isActive ? 1000 : null)
  const end = isActive ? now : Date.parse(job.updatedAt)
  const minutes = turn.startedAt === null ? 0 : Math.max(0, (end - Date.parse(turn.startedAt)) / 60_000)
  const meters: [string, number, number][] = [
    ['Steps', Math.max(turn.steps, isActive ? (usage?.steps ?? 0) : 0), caps.steps],
    ['Tokens', turn.tokens, caps.tokens],
    ['Minutes', Math.floor(minutes), caps.minutes],
    ['Files changed', job.filesChanged, caps.files],
  ]
  return (
    <div class="space-y-3">
      {meters.map(([label, used, most]) => (
        <Progress
          key={label}
          label={label}
          value={used}
          total={most}
          tone={used > most * 0.85 ? 'warning' : 'accent'}
        />
      ))}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2 class="mb-2 text-12 font-medium text-faint">{title}</h2>
      {children}
    </section>
  )
}

function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="flex gap-3">
      <dt class="w-20 shrink-0 text-soft">{label}</dt>
      <dd class="min-w-0 flex-1 break-words tabular-nums">{children}</dd>
    </div>
  )
}
