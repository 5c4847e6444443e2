/**
 * Public page of a change in a repository without a forge, opened by its signed link, for review and for a decision
 * with a key.
 */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { createClient } from '../../../../../src/client/client.ts'
import type { LinkedReview } from '../../../../../src/features/dashboard/operations/work.ts'
import { internal } from '../../api/internal.ts'
import { ConfirmDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { usePathParameters } from '../../app/query-parameters.ts'
import { useSession } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CollapsibleText } from '../../ui/collapsible-text.tsx'
import { Part } from '../../ui/fact.tsx'
import { SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { useLinkToken } from '../sign-in/link-token.ts'
import { Explanation, VisitorPage } from '../sign-in/visitor-page.tsx'
import { acceptHint, declineConsequence, mergedMessage } from './decision-labels.ts'
import { findPullRequestUrl } from './job-actions.tsx'
import { Changes, NoChange } from './job-changes.tsx'
import { WorksOn } from './job-facts.tsx'
import { describeJobState, jobTitle } from './job-labels.ts'
import { PreviewedPages } from './job-preview.tsx'

/** Visitors receive no events of a running job, so it is polled. */
const POLL_INTERVAL_MS = 15_000

export function ReviewPage() {
  const { jobId = '' } = usePathParameters()
  const token = useLinkToken()
  const { data, error } = useQuery({
    // Without the token, because cache keys are visible in developer tools.
    queryKey: ['openReview', jobId],
    queryFn: () => internal('openReview', { body: { jobId, token } }),
    gcTime: 0,
    refetchInterval: ({ state }: { state: { data: LinkedReview | undefined } }) =>
      state.data?.review.job.status === 'active' ? POLL_INTERVAL_MS : false,
  })
  if (data !== undefined) return <Review linked={data} />
  if (error === null)
    return (
      <VisitorPage title={t('Review')}>
        <Skeleton class="h-40 w-full" />
      </VisitorPage>
    )
  return (
    <VisitorPage
      title={t('This review cannot be opened')}
      about={
        <>
          <Explanation error={error} />
          <p>
            {t(
              'The link may be incomplete, or the job may no longer exist. Open the job’s review link again.',
            )}
          </p>
        </>
      }
    />
  )
}

function Review({ linked: { projectId, review, pages } }: { linked: LinkedReview }) {
  const { user } = useSession()
  const { job, state, prompts } = review
  const work = { job, state, prompt: prompts[0] ?? '' }
  return (
    <main class="h-full overflow-y-auto">
      <PageHeader
        title={jobTitle(work)}
        about={
          <span class="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>{t('Review')}</span>
            <StatusDot {...describeJobState(work)} />
            <RelativeTime at={job.createdAt} />
          </span>
        }
        {...(user !== null && {
          actions: (
            <ButtonLink size="small" href={`/p/${projectId}/agent/${job.id}`}>
              {t('Open the job')}
            </ButtonLink>
          ),
        })}
      />
      <div class="grid max-w-page gap-8 px-6 py-6 max-md:px-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div class="max-w-form min-w-0 space-y-7">
          <Part title={t('Task')}>
            {prompts.map((prompt, index) => (
              <blockquote key={index} class="mb-3 border-l-2 border-line pl-3 text-13 text-soft" dir="auto">
                <CollapsibleText text={prompt.trim()} fold={PROMPT_FOLD} />
              </blockquote>
            ))}
          </Part>
          <WorksOn job={job} />
        </div>
        <section
          aria-labelledby="decision"
          class="min-w-0 rounded-md border border-line bg-sunken p-4 text-13"
        >
          <h2 id="decision" class="mb-2 text-14 font-semibold">
            {t('Decision')}
          </h2>
          {job.error !== null && (
            <p class="mb-2 break-words text-danger">
              <PlainText text={job.error} />
            </p>
          )}
          <Decision projectId={projectId} review={review} />
        </section>
      </div>
      {review.files.length === 0 ? <NoChange status={job.status} /> : <Changes review={review} />}
      {pages.length > 0 && (
        <section aria-label={t('Preview')} class="border-t border-line">
          <PreviewedPages pages={pages} />
        </section>
      )}
    </main>
  )
}

const PROMPT_FOLD = { lines: 8, characters: 600, clamp: 'line-clamp-6' }

interface DecisionProps {
  projectId: string
  review: LinkedReview['review']
}

function Decision({ projectId, review }: DecisionProps) {
  const { job, state, isLocal } = review
  const branch = job.source.ref === 'HEAD' ? null : job.source.ref
  if (job.status === 'active')
    return <p>{t('The agent is working. You can decide on the change when it is done.')}</p>
  if (state === 'merged') return <p role="status">{mergedMessage(branch)}</p>
  if (state === 'closed') return <p role="status">{t('The change was declined')}</p>
  if (state === 'none') return <p>{t('There is no change to decide on.')}</p>
  if (isLocal) return <DecisionForm projectId={projectId} review={review} branch={branch} />
  const href = URL.parse(findPullRequestUrl(job) ?? '')
  return (
    <>
      <p>{acceptHint(false, branch)}</p>
      {href !== null && /^https?:$/.test(href.protocol) && <Link href={href.href}>{href.host}</Link>}
    </>
  )
}

function DecisionForm({ projectId, review, branch }: DecisionProps & { branch: string | null }) {
  const { job, needsSecondYes } = review
  const [apiKey, setApiKey] = useState('')
  const [areRisksConfirmed, confirmRisks] = useState(false)
  const [isDeclining, setDeclining] = useState(false)
  const sending = useFormSubmission()
  const decide = async (decision: 'accept' | 'decline') => {
    const client = createKeyClient(apiKey.trim())
    const decided = await (decision === 'accept'
      ? client.acceptAgentJob(projectId, job.id, { confirmRisks: areRisksConfirmed })
      : client.declineAgentJob(projectId, job.id))
    cacheDecision(decided)
  }
  return (
    <>
      <p class="mb-3 text-soft">{acceptHint(true, branch)}</p>
      <SubmissionForm sending={sending} onSubmit={() => decide('accept')}>
        <TextField
          label={t('Admin API key')}
          hint={t('Requires the write scope. The key is sent with the decision and not stored.')}
          type="password"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={apiKey}
          onText={setApiKey}
        />
        {needsSecondYes && (
          <label class="mb-3 flex items-start gap-2">
            <input
              type="checkbox"
              class="mt-1"
              checked={areRisksConfirmed}
              onChange={(event) => confirmRisks(event.currentTarget.checked)}
            />
            {t('I have reviewed these risks.')}
          </label>
        )}
        <div class="flex gap-2 [&>*]:flex-1">
          <Button
            disabled={sending.isBusy}
            onClick={(event: Event) => {
              const { form } = event.currentTarget as HTMLButtonElement
              if (form?.reportValidity() === true) setDeclining(true)
            }}
          >
            {t('Decline …')}
          </Button>
          <Button type="submit" look="primary" icon="git-merge" isBusy={sending.isBusy}>
            {t('Accept')}
          </Button>
        </div>
      </SubmissionForm>
      <details class="mt-4">
        <summary class="cursor-pointer text-soft">{t('From a command line')}</summary>
        <div class="mt-2">
          <CodeBlock text={commands(projectId, job.id, needsSecondYes)} />
        </div>
      </details>
      {isDeclining && (
        <ConfirmDialog
          title={t('Decline this change?')}
          width="sm"
          action={t('Decline')}
          cancel={t('Keep it open')}
          onClose={() => setDeclining(false)}
          onConfirm={() => decide('decline')}
        >
          <p>{declineConsequence(branch)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Sends the key with one request, without the browser's session, and does not store it. */
function createKeyClient(apiKey: string) {
  return createClient({
    baseUrl: '',
    apiKey,
    fetch: (url, init) =>
      fetch(url, { ...init, credentials: 'omit', redirect: 'error' }).catch(() => {
        throw new Error(
          t('The server cannot be reached. Reload the page to see whether your decision was saved.'),
        )
      }),
  })
}

function cacheDecision(decided: LinkedReview['review']['job']): void {
  queryClient.setQueryData<LinkedReview>(['openReview', decided.id], (linked) => {
    if (linked === undefined) return undefined
    const { review } = linked
    const job = { ...decided, source: review.job.source }
    return {
      ...linked,
      review: { ...review, job, state: decided.pullRequests.at(-1)?.state ?? review.state },
    }
  })
}

function commands(projectId: string, jobId: string, needsSecondYes: boolean): string {
  const command = (verb: string, more = '') => `octavo agent ${verb} ${jobId}${more} --project ${projectId}`
  return [
    command('accept') + (needsSecondYes ? ' --confirm-risks' : ''),
    command('decline'),
    command('message', ' "…"'),
  ].join('\n')
}
