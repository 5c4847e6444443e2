/** Questions that readers ask the assistant: a filtered list, the conversation, and a selection for agent jobs. */

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'preact/hooks'
import type { AssistantFigures } from '../../../../../src/features/assistant/operations/questions.ts'
import { internalPages, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { useSelection } from '../feedback/selection.ts'
import { useRowNavigation } from '../row-navigation.ts'
import { AssistantNotice, NoQuestions, NothingMatches } from './assistant-empty.tsx'
import { ConversationPanel, conversationQuery } from './conversation-panel.tsx'
import { buildQuestionJobHref, HandOverBar } from './hand-over-bar.tsx'
import { QuestionFilterBar } from './question-filter-bar.tsx'
import {
  buildQuestionsHref,
  DEFAULT_QUESTION_DAYS,
  isNarrowed,
  parseQuestionFilters,
  type QuestionFilters,
} from './question-labels.ts'
import { QuestionRow } from './question-row.tsx'

const POLL_INTERVAL_MS = 60_000

function figuresQuery(projectId: string, days: QuestionFilters['days']) {
  const query = { days: days ?? DEFAULT_QUESTION_DAYS }
  return internalQuery('getAssistantFigures', { params: { projectId }, query })
}

function questionsQuery(projectId: string, { days, ...filters }: QuestionFilters) {
  const query = { ...filters, ...(days === null ? {} : { days }) }
  return internalPages('listAskedQuestions', { params: { projectId }, query })
}

export const preload: Preload = ({ params, search }) => {
  const { projectId = '' } = params
  const filters = parseQuestionFilters(search)
  void queryClient.prefetchQuery(figuresQuery(projectId, filters.days))
  void queryClient.prefetchInfiniteQuery(questionsQuery(projectId, filters))
  if (search.question) void queryClient.prefetchQuery(conversationQuery(projectId, search.question))
}

export function AssistantPage() {
  const projectId = useProjectId()
  const [parameters] = useQueryParameters()
  const filters = parseQuestionFilters(parameters)
  const { question: openId } = parameters
  const figures = useQuery({
    ...figuresQuery(projectId, filters.days),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_INTERVAL_MS,
  })
  const listHref = buildQuestionsHref(projectId, filters)
  useEscapeTo(openId === undefined ? `/p/${projectId}` : listHref)
  const isEmpty = figures.data?.hasAny === false
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <div class={openId === undefined ? 'contents' : 'contents max-md:hidden'}>
        <PageHeader isFull title={t('Assistant')} about={t('What readers ask, and what the docs answer.')}>
          {!isEmpty && <QuestionFilterBar filters={filters} figures={figures.data} />}
        </PageHeader>
      </div>
      <SplitView
        name="assistant"
        backHref={listHref}
        backLabel={t('Assistant')}
        list={
          <div class="flex min-h-0 flex-1 flex-col">
            <Loaded query={figures} skeleton={<SkeletonRows />}>
              {(data) =>
                data.hasAny ? (
                  <Questions filters={filters} figures={data} openId={openId} />
                ) : (
                  <PageBody>
                    <NoQuestions figures={data} />
                  </PageBody>
                )
              }
            </Loaded>
          </div>
        }
        detail={
          openId === undefined || isEmpty ? null : (
            <ConversationPanel key={openId} questionId={openId} filters={filters} />
          )
        }
      />
    </div>
  )
}

interface QuestionsProps {
  filters: QuestionFilters
  figures: AssistantFigures
  openId: string | undefined
}

function Questions({ filters, figures, openId }: QuestionsProps) {
  const projectId = useProjectId()
  const mayAsk = useHasPermission('agent')
  const pages = useInfiniteQuery(questionsQuery(projectId, filters))
  const questions = pages.data?.pages.flatMap((page) => page.questions) ?? []
  const ids = questions.map(({ id }) => id)
  const hrefOf = (id: string) => buildQuestionsHref(projectId, filters, id)
  const rows = useRowNavigation(ids.map(hrefOf), pages)
  const selection = useSelection(() => ids)
  const filterKey = JSON.stringify(filters)
  useLayoutEffect(() => selection.clear(), [filterKey, selection.clear])
  useQuestionCommands(projectId, mayAsk, selection)
  return (
    <>
      <div class="min-h-0 flex-1 overflow-y-auto">
        <AssistantNotice figures={figures} />
        <Loaded query={pages} skeleton={<SkeletonRows />}>
          {() =>
            questions.length === 0 ? (
              <PageBody>
                <NothingMatches isNarrowed={isNarrowed(filters)} />
              </PageBody>
            ) : (
              <ol {...rows} aria-label={t('Questions')}>
                {questions.map((question) => (
                  <QuestionRow
                    key={question.id}
                    question={question}
                    href={hrefOf(question.id)}
                    isOpen={question.id === openId}
                    isChosen={selection.ids.has(question.id)}
                    isChoosing={selection.ids.size > 0}
                    onChoose={mayAsk ? (isRange) => selection.toggle(question.id, isRange) : null}
                  />
                ))}
              </ol>
            )
          }
        </Loaded>
        <div class="pb-6">
          <MoreButton pages={pages} label={t('Show older questions')} />
        </div>
      </div>
      {selection.ids.size > 0 && <HandOverBar projectId={projectId} selection={selection} loaded={ids} />}
    </>
  )
}

function useQuestionCommands(
  projectId: string,
  mayAsk: boolean,
  selection: ReturnType<typeof useSelection>,
): void {
  const go = useGo()
  const chosen = [...selection.ids]
  useCommands([
    {
      id: 'assistant-hand-over',
      label: t('Start an agent job from the selected questions'),
      group: 'assistant',
      icon: 'bot',
      isOff: !mayAsk || chosen.length === 0,
      run: () => void go(buildQuestionJobHref(projectId, chosen)),
    },
    {
      id: 'assistant-choose-none',
      label: t('Clear the selection'),
      group: 'assistant',
      icon: 'x',
      isOff: chosen.length === 0,
      run: selection.clear,
    },
    {
      id: 'assistant-unanswered',
      label: t('Show unanswered questions'),
      group: 'assistant',
      icon: 'circle-help',
      run: () => void go(buildQuestionsHref(projectId, { resolution: 'unanswered' })),
    },
  ])
}
