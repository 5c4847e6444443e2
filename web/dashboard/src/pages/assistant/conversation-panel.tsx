/** Conversation around a question, with the passages of its answers. All of its text is untrusted. */

import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../../../src/client/call.ts'
import type {
  AskedConversation,
  AskedTurn,
} from '../../../../../src/features/assistant/operations/questions.ts'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useHasPermission } from '../../app/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { type CollapseLimits, CollapsibleText } from '../../ui/collapsible-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { JobSummaryList } from '../agent/job-lines.tsx'
import { buildQuestionJobHref } from './hand-over-bar.tsx'
import {
  buildQuestionsHref,
  languageName,
  type QuestionFilters,
  RESOLUTION_LABELS,
} from './question-labels.ts'
import { Rating } from './question-row.tsx'

export function conversationQuery(projectId: string, questionId: string) {
  return {
    ...internalQuery('getAskedQuestion', { params: { projectId, questionId } }),
    meta: { live: ['agent_job'] },
  }
}

export function ConversationPanel({ questionId, filters }: { questionId: string; filters: QuestionFilters }) {
  const projectId = useProjectId()
  const conversation = useQuery(conversationQuery(projectId, questionId))
  const mayAsk = useHasPermission('agent')
  const listHref = buildQuestionsHref(projectId, filters)
  const isGone = conversation.error instanceof ApiError && conversation.error.status === 404
  if (isGone)
    return (
      <EmptyState
        icon="trash-2"
        title={t('This question no longer exists')}
        actions={<ButtonLink href={listHref}>{t('Back to the list')}</ButtonLink>}
      >
        <p>{t('It has expired, or the URL is wrong.')}</p>
      </EmptyState>
    )
  return (
    <Panel
      title={t('Conversation')}
      closeHref={listHref}
      actions={
        mayAsk && (
          <ButtonLink size="small" icon="bot" href={buildQuestionJobHref(projectId, [questionId])}>
            {t('Start agent job')}
          </ButtonLink>
        )
      }
    >
      <Loaded
        query={conversation}
        skeleton={
          <div class="space-y-3" role="status" aria-label={t('Loading the conversation')}>
            <Skeleton class="h-16 w-full rounded-md" />
            <Skeleton class="h-4 w-1/3" />
            <Skeleton class="h-4 w-2/3" />
            <Skeleton class="h-4 w-1/2" />
          </div>
        }
        isSmall
      >
        {(data) => <Conversation conversation={data} filters={filters} />}
      </Loaded>
    </Panel>
  )
}

function Conversation({
  conversation: { id, turns, agentJobs, siteUrl },
  filters,
}: {
  conversation: AskedConversation
  filters: QuestionFilters
}) {
  const projectId = useProjectId()
  return (
    <>
      <ol class="space-y-6" aria-label={t('Turns')}>
        {turns.map((turn) => (
          <Turn
            key={turn.id}
            turn={turn}
            isAsked={turn.id === id && turns.length > 1}
            filters={filters}
            siteUrl={siteUrl}
          />
        ))}
      </ol>
      {agentJobs.length > 0 && (
        <section class="mt-8" aria-label={t('Agent jobs')}>
          <h3 class="mb-2 text-12 font-medium text-faint">{t('Agent jobs for this question')}</h3>
          <JobSummaryList projectId={projectId} jobs={agentJobs} />
        </section>
      )}
    </>
  )
}

/** Collapses a long question, such as a pasted log, so that the answer stays in view. */
const QUESTION_COLLAPSE: CollapseLimits = { lines: 12, characters: 900, clamp: 'line-clamp-[9]' }

interface TurnProps {
  turn: AskedTurn
  /** True for the question that was opened, within a longer conversation. */
  isAsked: boolean
  filters: QuestionFilters
  siteUrl: string | null
}

function Turn({ turn, isAsked, filters, siteUrl }: TurnProps) {
  const { label, icon, tone, about } = RESOLUTION_LABELS[turn.resolution]
  return (
    <li aria-current={isAsked ? 'true' : undefined}>
      <div
        class={classes(
          'rounded-md border px-3 py-2',
          isAsked ? 'border-accent-7 bg-accent-3' : 'border-line bg-sunken',
        )}
      >
        <CollapsibleText text={turn.question} fold={QUESTION_COLLAPSE} class="font-medium" />
        <TurnFacts turn={turn} filters={filters} />
      </div>
      <p class="mt-3 mb-2 flex items-center gap-2 text-13 text-soft">
        <Icon name={icon} size={14} class={tone} />
        <span>{label}</span>
        <Rating helpful={turn.helpful} />
      </p>
      {about !== '' && <p class="mb-2 max-w-xl text-13 text-pretty text-soft">{about}</p>}
      {turn.claims.length > 0 && (
        <ul class="space-y-3">
          {turn.claims.map((claim, index) => (
            <li key={index} class="border-l-2 border-line-strong pl-3">
              <p class="max-w-xl text-14 leading-relaxed break-words whitespace-pre-wrap" dir="auto">
                <PlainText text={claim.text} />
              </p>
              <p class="mt-1 text-12 text-soft">
                <PassageLink page={claim.source} siteUrl={siteUrl} />
              </p>
              <blockquote class="mt-0.5 max-w-xl text-12 break-words text-faint" dir="auto">
                {rich('“{quote}”', { quote: <PlainText text={claim.source.quote} /> })}
              </blockquote>
            </li>
          ))}
        </ul>
      )}
      {turn.withheld > 0 && (
        <p class="mt-2 text-12 text-soft">
          {plural(
            turn.withheld,
            '{count} statement of the model was withheld because no passage supports it.',
            '{count} statements of the model were withheld because no passage supports them.',
          )}
        </p>
      )}
      {turn.nearest.length > 0 && (
        <div class="mt-2 text-13">
          <p class="text-12 text-faint">{t('Closest passages in the docs')}</p>
          <ul class="mt-1 space-y-1">
            {turn.nearest.map((page) => (
              <li key={`${page.path}#${page.anchor}`} class="min-w-0 break-words">
                <PassageLink page={page} siteUrl={siteUrl} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}

function TurnFacts({ turn, filters }: { turn: AskedTurn; filters: QuestionFilters }) {
  const projectId = useProjectId()
  return (
    <p class="mt-1.5 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-12 text-faint">
      <RelativeTime at={turn.at} />
      {turn.path !== null && (
        <Link
          look="quiet"
          href={buildQuestionsHref(projectId, { ...filters, path: turn.path }, turn.id)}
          title={t('Only questions from this page')}
          class="min-w-0 truncate font-mono"
        >
          <PlainText text={turn.path} />
        </Link>
      )}
      {turn.language !== null && <span>{languageName(turn.language)}</span>}
    </p>
  )
}

function PassageLink({ page, siteUrl }: { page: AskedTurn['nearest'][number]; siteUrl: string | null }) {
  const { path, anchor, title, heading } = page
  const words = <PlainText text={[title, heading].filter(Boolean).join(' › ')} />
  if (siteUrl === null) return <span title={path}>{words}</span>
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), siteUrl)
  if (anchor !== null) url.hash = anchor
  return (
    <Link look="quiet" href={url.href} target="_blank" title={path}>
      {words} <Icon name="arrow-up-right" size={12} class="inline-block align-[-1px]" />
    </Link>
  )
}
