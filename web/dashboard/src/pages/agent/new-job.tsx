/** Form for a new job: the prompt, the project it works on and the attached feedback. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Effort } from '../../../../../src/base/api/form-choices.ts'
import { MAX_FEEDBACK_PER_JOB, MAX_QUESTIONS_PER_JOB } from '../../../../../src/base/api/form-limits.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { explainError } from '../../api/errors.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { Select } from '../../ui/input.tsx'
import { Link, useGo } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { ModelSetup } from '../model-setup.tsx'
import { Composer, useDraft } from './composer.tsx'
import { formatTokenCount, stripProvider } from './job-labels.ts'

const MAX_SHOWN_ATTACHMENTS = 5

export function NewJob({ fieldRef }: { fieldRef: RefObject<HTMLTextAreaElement | null> }) {
  const projectId = useProjectId()
  const [parameters] = useQueryParameters()
  const ids = parseIds(parameters.feedback, MAX_FEEDBACK_PER_JOB)
  const questionIds = parseIds(parameters.questions, MAX_QUESTIONS_PER_JOB)
  const suggested = parameters.prompt ?? suggestPrompt(ids, questionIds)
  const [text, setText] = useDraft(`new:${projectId}:${[...ids, ...questionIds].join(',')}`, suggested)
  const { data: project } = useQuery(internalQuery('getProject', { params: { projectId } }))
  const [choice, setChoice] = useState<JobChoice>({ model: '', effort: undefined })
  const queries = useQueryClient()
  const go = useGo()
  useFocusAtHandOver(
    fieldRef,
    parameters.feedback ?? parameters.questions ?? parameters.prompt ?? parameters.new,
  )
  // Repeating the click after a lost response does not create a second job.
  const key = useRef(crypto.randomUUID())
  const start = useMutation({
    mutationFn: (prompt: string) =>
      octavo.createAgentJob(
        projectId,
        {
          prompt,
          ...(ids.length > 0 && { feedbackIds: ids }),
          ...(questionIds.length > 0 && { questionIds }),
          ...(choice.model !== '' && { model: choice.model }),
          ...(choice.effort && { effort: choice.effort }),
        },
        { idempotencyKey: key.current },
      ),
    onSuccess: (job) => {
      key.current = crypto.randomUUID()
      setText('')
      void queries.invalidateQueries({ queryKey: ['listAgentWork'] })
      void go(`/p/${projectId}/agent/${job.id}`)
    },
  })
  if (project !== undefined && project.agentLimits.model === null)
    return (
      <div class="rounded-lg border border-line bg-raised px-5 py-4 shadow-low">
        <h2 class="text-14 font-semibold">{t('No AI model is configured')}</h2>
        <p class="mt-1 mb-3 max-w-xl text-13 text-soft">
          {t(
            'Agent jobs need a model. Whoever runs this server can set one with the setting below and the provider’s API key. A model on your own machine works too (ollama, vllm, lmstudio).',
          )}
        </p>
        <ModelSetup setting="OCTAVO_MODEL" />
      </div>
    )
  return (
    <Composer
      label={t('What should the agent change?')}
      placeholder={t(
        'What should change? For example: Document the new --region flag on the deploy page, and link to it from the quickstart.',
      )}
      text={text}
      onText={(next) => {
        if (start.isError) start.reset()
        key.current = crypto.randomUUID()
        setText(next)
      }}
      onSend={() => start.mutate(text)}
      send={t('Start the job')}
      isBusy={start.isPending}
      error={start.isError ? <Refusal error={start.error} /> : undefined}
      below={
        project && (
          <Context
            project={project}
            choice={choice}
            onChoice={(changed) => {
              key.current = crypto.randomUUID()
              setChoice({ ...choice, ...changed })
            }}
          />
        )
      }
      attached={<AttachmentLists ids={ids} questionIds={questionIds} />}
      fieldRef={fieldRef}
    />
  )
}

/** Focuses the prompt when feedback has been attached, so that typing does not trigger list shortcuts. */
function useFocusAtHandOver(field: RefObject<HTMLTextAreaElement | null>, handed: string | undefined): void {
  const isReady = field.current !== null
  // Before paint, so that the first keystrokes already reach the prompt.
  useLayoutEffect(() => {
    const box = field.current
    if (handed === undefined || box === null) return
    box.focus()
    box.setSelectionRange(box.value.length, box.value.length)
  }, [field, handed, isReady])
}

/** Feedback and questions attached by the ids in the URL; each can be removed. */
function AttachmentLists({ ids, questionIds }: { ids: readonly string[]; questionIds: readonly string[] }) {
  const projectId = useProjectId()
  const [, change] = useQueryParameters()
  const dropFrom = (name: string, list: readonly string[]) => (id: string) =>
    change({ [name]: list.filter((one) => one !== id).join(',') || undefined }, { replace: true })
  return (
    <>
      {ids.length > 0 && (
        <AttachedList
          label={plural(
            ids.length,
            'Answers {count} feedback entry: in progress once the job starts, resolved when its change is merged',
            'Answers {count} feedback entries: in progress once the job starts, resolved when its change is merged',
          )}
          ids={ids}
          item={(id) => <AttachedEntry key={id} {...{ projectId, id }} onDrop={dropFrom('feedback', ids)} />}
        />
      )}
      {questionIds.length > 0 && (
        <AttachedList
          label={plural(
            questionIds.length,
            'Answers {count} reader question',
            'Answers {count} reader questions',
          )}
          ids={questionIds}
          item={(id) => (
            <AttachedQuestion key={id} {...{ projectId, id }} onDrop={dropFrom('questions', questionIds)} />
          )}
        />
      )}
    </>
  )
}

function parseIds(list: string | undefined, maxCount: number): string[] {
  return [...new Set((list ?? '').split(',').filter(Boolean))].slice(0, maxCount)
}

function suggestPrompt(feedbackIds: readonly string[], questionIds: readonly string[]): string {
  if (feedbackIds.length > 0) return t('Address this feedback: correct the pages where readers are right.')
  if (questionIds.length > 0)
    return t(
      'Readers asked the assistant these questions. Document what they are looking for, or use their words on the page that already covers it.',
    )
  return ''
}

export function Refusal({ error }: { error: unknown }) {
  const { title, advice, details } = explainError(error)
  return (
    <>
      <p>
        {title} {advice}
      </p>
      {details.map((detail) => (
        <p key={detail} class="break-words">
          {detail}
        </p>
      ))}
    </>
  )
}

interface JobChoice {
  /** Empty to use the model of the project. */
  model: string
  effort: Effort | undefined
}

const EFFORT_LABELS: Record<Effort, string> = {
  low: t('Low effort'),
  medium: t('Medium effort'),
  high: t('High effort'),
}

interface ContextProps {
  project: ProjectDetail
  choice: JobChoice
  onChoice: (changed: Partial<JobChoice>) => void
}

function Context({ project: { source, agent, agentLimits }, choice, onChoice }: ContextProps) {
  const { models = [], efforts = [] } = agent
  const minutes = Math.min(agent.minutes ?? Number.POSITIVE_INFINITY, agentLimits.minutes)
  const tokens = Math.min(agent.tokens ?? Number.POSITIVE_INFINITY, agentLimits.tokens)
  const model = agent.model ?? agentLimits.model ?? ''
  return (
    <span class="flex flex-wrap gap-x-4 gap-y-1">
      <Fact icon="git-branch" label={t('Branch')}>
        {source.ref ?? t('default branch')}
      </Fact>
      {source.docsFolder !== '' && (
        <Fact icon="folder" label={t('Docs folder')}>
          {source.docsFolder}
        </Fact>
      )}
      {models.length === 0 ? (
        <Fact icon="sparkles" label={t('Model')}>
          {stripProvider(model)}
        </Fact>
      ) : (
        <Select
          size="small"
          aria-label={t('Model')}
          value={choice.model}
          options={[
            { value: '', label: stripProvider(model) },
            ...models
              .filter((one) => one !== model)
              .map((one) => ({ value: one, label: stripProvider(one) })),
          ]}
          onChange={(value) => onChoice({ model: value })}
        />
      )}
      {efforts.length > 0 && (
        <Select
          size="small"
          aria-label={t('Effort')}
          value={choice.effort ?? ''}
          options={[
            { value: '', label: t('Default effort') },
            ...efforts.map((one) => ({ value: one, label: EFFORT_LABELS[one] })),
          ]}
          onChange={(value) => onChoice({ effort: efforts.find((one) => one === value) })}
        />
      )}
      <Fact icon="clock" label={t('Limits of a job')}>
        {t('up to {minutes} min, {tokens} tokens', { minutes, tokens: formatTokenCount(tokens) })}
      </Fact>
    </span>
  )
}

function Fact({ icon, label, children }: { icon: IconName; label: string; children: ComponentChildren }) {
  return (
    <span class="inline-flex min-w-0 items-center gap-1.5" title={label}>
      <Icon name={icon} size={14} class="text-faint" />
      <span class="sr-only">{label}: </span>
      <span class="truncate">{children}</span>
    </span>
  )
}

interface AttachedSourceProps {
  projectId: string
  id: string
  onDrop: (id: string) => void
}

interface AttachedListProps {
  label: string
  ids: readonly string[]
  item: (id: string) => VNode
}

function AttachedList({ label, ids, item }: AttachedListProps) {
  return (
    <div class="mx-3 mb-2 rounded-md border border-line bg-sunken px-3 py-2">
      <p class="text-12 text-faint">{label}</p>
      <ul class="mt-1">{ids.slice(0, MAX_SHOWN_ATTACHMENTS).map(item)}</ul>
      {ids.length > MAX_SHOWN_ATTACHMENTS && (
        <p class="mt-1 text-12 text-faint">
          {plural(ids.length - MAX_SHOWN_ATTACHMENTS, 'and {count} more', 'and {count} more')}
        </p>
      )}
    </div>
  )
}

interface AttachedItemProps {
  href: string
  /** Used as the link text until the text has loaded. */
  id: string
  text: ComponentChildren | null
  dropLabel: string
  onDrop: () => void
}

function AttachedItem({ href, id, text, dropLabel, onDrop }: AttachedItemProps) {
  return (
    <li class="flex items-center gap-2 text-13">
      <Link
        look="quiet"
        href={href}
        class="min-w-0 flex-1 truncate"
        aria-label={text === null ? id : undefined}
      >
        {text ?? <Skeleton class="h-3 w-3/5" />}
      </Link>
      <IconButton icon="x" size="small" label={dropLabel} onClick={onDrop} />
    </li>
  )
}

function AttachedEntry({ projectId, id, onDrop }: AttachedSourceProps) {
  const { data: entry } = useQuery({
    queryKey: ['getFeedbackEntry', projectId, id],
    queryFn: () => octavo.getFeedback(projectId, id),
  })
  return (
    <AttachedItem
      href={`/p/${projectId}/feedback?entry=${id}`}
      id={id}
      dropLabel={t('Remove this entry')}
      onDrop={() => onDrop(id)}
      text={
        entry === undefined ? null : (
          <>
            <span class="mr-2 font-mono text-12 text-soft">
              <PlainText text={entry.path} />
            </span>
            <PlainText text={entry.comment ?? ''} />
          </>
        )
      }
    />
  )
}

function AttachedQuestion({ projectId, id, onDrop }: AttachedSourceProps) {
  const { data, isError } = useQuery(
    internalQuery('getAskedQuestion', { params: { projectId, questionId: id } }),
  )
  const turn = data?.turns.find((one) => one.id === id)
  const gone = isError ? <span class="text-danger">{t('This question no longer exists')}</span> : null
  return (
    <AttachedItem
      href={`/p/${projectId}/assistant?question=${id}`}
      id={id}
      dropLabel={t('Remove this question')}
      onDrop={() => onDrop(id)}
      text={turn === undefined ? gone : <PlainText text={turn.question} />}
    />
  )
}
