/** Questions to the assistant: figures of the period, and the newest ones that the docs do not answer. */

import { useQuery } from '@tanstack/react-query'
import type { OverviewDays } from '../../../../../src/base/api/form-choices.ts'
import type {
  AskedRow,
  AssistantFigures,
} from '../../../../../src/features/assistant/operations/questions.ts'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useHasPermission } from '../../app/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount, formatPercent, formatShortCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { buildQuestionJobHref } from '../assistant/hand-over-bar.tsx'
import { buildQuestionsHref, type QuestionFilters } from '../assistant/question-labels.ts'
import { CountChange, Figure, FigureGrid } from '../figure.tsx'
import { ShowAll } from './show-all.tsx'

const ROWS = 5

/** Hidden when the assistant is off and there are no questions. */
export function AssistantSection({ days }: { days: OverviewDays }) {
  const projectId = useProjectId()
  const { data: figures } = useQuery(
    internalQuery('getAssistantFigures', { params: { projectId }, query: { days } }),
  )
  const isShown = figures !== undefined && (figures.hasAny || figures.hosted === 'on')
  const { data: open } = useQuery({
    ...internalQuery('listAskedQuestions', {
      params: { projectId },
      query: { days, resolution: 'unanswered', handed: 'no', limit: ROWS },
    }),
    enabled: isShown && figures.now.unanswered > 0,
  })
  if (!isShown) return null
  return (
    <section class="mt-8" aria-labelledby="asked">
      <h2 id="asked" class="mb-3 text-14 font-semibold">
        {t('Questions to the assistant')}
      </h2>
      <QuestionFigures figures={figures} />
      {open !== undefined && open.questions.length > 0 && (
        <>
          <div class="mt-4 flex h-8 items-center justify-between gap-3 border-b border-line text-12 text-soft">
            <h3 class="font-medium">{t('Asked and not answered')}</h3>
            <ShowAll
              href={buildQuestionsHref(projectId, { days, resolution: 'unanswered' })}
              list={t('Asked and not answered')}
            />
          </div>
          <ul>
            {open.questions.map((question) => (
              <OpenQuestion key={question.id} question={question} days={days} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function QuestionFigures({ figures: { now, before, days } }: { figures: AssistantFigures }) {
  const projectId = useProjectId()
  const listed = (filters: Partial<QuestionFilters>) =>
    buildQuestionsHref(projectId, { days: days as OverviewDays, ...filters })
  const rated = now.helpful + now.unhelpful
  // Off-topic and cancelled questions say nothing about the quality of the docs.
  const meant = now.answered + now.unanswered
  return (
    <FigureGrid>
      <Figure
        label={t('Questions')}
        value={formatShortCount(now.questions)}
        exact={formatCount(now.questions)}
        href={listed({})}
        about={
          now.questions === 0 ? (
            t('Nobody has asked')
          ) : (
            <CountChange now={now.questions} before={before.questions} days={days} />
          )
        }
      />
      <Figure
        label={t('Answered')}
        value={meant === 0 ? '–' : formatPercent(now.answered / meant)}
        href={listed({ resolution: 'answered' })}
        about={formatAnswered(now.answered, meant)}
      />
      <Figure
        label={t('Unanswered')}
        value={formatShortCount(now.unanswered)}
        exact={formatCount(now.unanswered)}
        href={listed({ resolution: 'unanswered' })}
        about={
          now.offTopic === 0
            ? t('By the docs')
            : t('and {questions} off topic', { questions: formatShortCount(now.offTopic) })
        }
      />
      <Figure
        label={t('Found helpful')}
        value={rated === 0 ? '–' : formatPercent(now.helpful / rated)}
        href={listed({ rating: 'down' })}
        about={formatRated(now.unhelpful, rated)}
      />
    </FigureGrid>
  )
}

function formatAnswered(answered: number, questions: number): string {
  if (questions === 0) return t('Of none')
  return t('{answered} of {questions} about the docs', {
    answered: formatShortCount(answered),
    questions: formatShortCount(questions),
  })
}

function formatRated(unhelpful: number, rated: number): string {
  if (rated === 0) return t('No rated answers')
  return t('{unhelpful} of {rated} were not', {
    unhelpful: formatShortCount(unhelpful),
    rated: formatShortCount(rated),
  })
}

function OpenQuestion({ question: { id, question, at }, days }: { question: AskedRow; days: OverviewDays }) {
  const projectId = useProjectId()
  const mayAsk = useHasPermission('agent')
  const words = question.replace(/\s+/g, ' ').trim()
  return (
    <li class="flex min-w-0 items-center gap-3 border-b border-line hover:bg-hover">
      <Link
        look="none"
        href={buildQuestionsHref(projectId, { days, resolution: 'unanswered' }, id)}
        class="flex h-11 min-w-0 flex-1 items-center justify-between gap-3 text-13 outline-offset-[-2px]"
      >
        <span class="truncate font-medium" dir="auto" title={words}>
          <PlainText text={words} />
        </span>
        <RelativeTime at={at} class="shrink-0 text-12 text-faint" />
      </Link>
      {mayAsk && (
        <Link
          look="none"
          href={buildQuestionJobHref(projectId, [id])}
          aria-label={t('Ask the agent to answer: {question}', { question: words.slice(0, 80) })}
          title={t('Ask the agent to answer this')}
          class="inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-faint outline-offset-[-2px] hover:bg-pressed hover:text-text coarse:size-11"
        >
          <Icon name="bot" />
        </Link>
      )}
    </li>
  )
}
