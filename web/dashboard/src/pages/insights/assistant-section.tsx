/**
 * Questions to the assistant: figures of the period, and the newest questions that the docs do not answer.
 */

import { useQuery } from '@tanstack/react-query'
import type { OverviewDays } from '../../../../../src/base/api/form-choices.ts'
import type {
  AskedRow,
  AssistantFigures,
} from '../../../../../src/features/assistant/operations/questions.ts'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { formatCount, formatPercent, formatShortCount } from '../../ui/numbers.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { buildQuestionJobHref } from '../assistant/hand-over-bar.tsx'
import { buildQuestionsHref, type QuestionFilters } from '../assistant/question-labels.ts'
import { CountChange, Figure, FigureGrid } from '../figure.tsx'
import { WriteList, WriteRow } from './write-next.tsx'

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
        <div class="mt-4">
          <WriteList
            title={t('Unanswered questions')}
            href={buildQuestionsHref(projectId, { days, resolution: 'unanswered' })}
          >
            {open.questions.map((question) => (
              <OpenQuestion key={question.id} question={question} days={days} />
            ))}
          </WriteList>
        </div>
      )}
    </section>
  )
}

function QuestionFigures({ figures: { now, before, days } }: { figures: AssistantFigures }) {
  const projectId = useProjectId()
  const listed = (filters: Partial<QuestionFilters>) =>
    buildQuestionsHref(projectId, { days: days as OverviewDays, ...filters })
  const rated = now.helpful + now.unhelpful
  // Off-topic and cancelled questions do not reflect the quality of the docs.
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
            t('No questions')
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
            ? t('Not covered by the docs')
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
  if (questions === 0) return t('No questions')
  return t('{answered} of {questions} about the docs', {
    answered: formatShortCount(answered),
    questions: formatShortCount(questions),
  })
}

function formatRated(unhelpful: number, rated: number): string {
  if (rated === 0) return t('No rated answers')
  return t('{unhelpful} of {rated} were not helpful', {
    unhelpful: formatShortCount(unhelpful),
    rated: formatShortCount(rated),
  })
}

function OpenQuestion({ question: { id, question, at }, days }: { question: AskedRow; days: OverviewDays }) {
  const projectId = useProjectId()
  const words = question.replace(/\s+/g, ' ').trim()
  return (
    <WriteRow
      href={buildQuestionsHref(projectId, { days, resolution: 'unanswered' }, id)}
      title={words}
      end={<RelativeTime at={at} class="shrink-0 text-12 text-faint" />}
      job={{
        href: buildQuestionJobHref(projectId, [id]),
        label: t('Ask the agent to answer: {question}', { question: words.slice(0, 80) }),
      }}
    />
  )
}
