/** Follow-up message to an existing job: same branch, same pull request. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { Link } from '../../ui/link.tsx'
import { rich, t } from '../../words/words.ts'
import { Composer, useDraft } from './composer.tsx'
import { Refusal } from './new-job.tsx'

/** A line that the user wants to comment on; `number` is incremented for each line. */
export interface QuotedLine {
  number: number
  text: string
}

interface FollowUpProps {
  projectId: string
  work: AgentWorkDetail
  quoted?: QuotedLine | null
}

export function FollowUp({ projectId, work: { job, state }, quoted = null }: FollowUpProps) {
  const [text, setText] = useDraft(`message:${job.id}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const { send, key } = useSending(projectId, job.id, () => setText(''))
  useQuotedLine(quoted, (line) => {
    setText(`${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}${line}\n`)
    return field.current
  })
  const isClosed = job.status === 'archived'
  useWriteCommand(isClosed, () => field.current?.focus())
  if (isClosed)
    return (
      <p class="mt-8 border-t border-line py-4 text-13 text-soft">
        {rich('This job is archived and accepts no more messages. <a>Start a new one</a>', {
          a: (inner) => <Link href={`/p/${projectId}/agent`}>{inner}</Link>,
        })}
      </p>
    )
  return (
    // Stays in view while the steps scroll, if there is room for the message field and the steps.
    <div class="mt-8 bg-page pb-6 before:pointer-events-none before:absolute before:inset-x-0 before:-top-6 before:h-6 before:bg-linear-to-t before:from-page before:to-transparent lg:sticky lg:bottom-0 lg:z-1 max-lg:before:hidden">
      <Composer
        label={t('Message to the agent')}
        placeholder={
          job.question !== null
            ? t('Answer the question')
            : job.status === 'failed'
              ? t('Continue, or say what to do differently')
              : t('What else should it do?')
        }
        text={text}
        onText={(next) => {
          if (send.isError) send.reset()
          key.current = crypto.randomUUID()
          setText(next)
        }}
        onSend={() => send.mutate(text)}
        send={t('Send')}
        isBusy={send.isPending}
        error={send.isError ? <Refusal error={send.error} /> : undefined}
        below={
          job.question !== null
            ? t('The agent continues with your answer.')
            : describeDestination(job.status, state)
        }
        rows={1}
        fieldRef={field}
      />
    </div>
  )
}

function useWriteCommand(isOff: boolean, run: () => void) {
  const label = t('Message the agent')
  useCommands([{ id: 'job-message', label, icon: 'message-square', keys: 'r', isOff, run }])
}

function describeDestination(
  status: AgentWorkDetail['job']['status'],
  state: AgentWorkDetail['state'],
): string {
  if (status === 'active') return t('Starts when the current work is done.')
  if (state === 'merged')
    return t('The change is merged. A new message starts a new branch and pull request.')
  if (state === 'closed')
    return t('The change is closed. A new message starts a new branch and pull request.')
  if (state === 'none') return t('Continues from its changes so far.')
  return t('Same branch, same pull request.')
}

/** Sends a message. Resending the same text after a failure is idempotent. */
function useSending(projectId: string, jobId: string, onSent: () => void) {
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  const send = useMutation({
    mutationFn: (prompt: string) =>
      octavo.sendAgentMessage(projectId, jobId, { prompt }, { idempotencyKey: key.current }),
    onSuccess: () => {
      key.current = crypto.randomUUID()
      onSent()
      void queries.invalidateQueries({ queryKey: ['getAgentWork'] })
      void queries.invalidateQueries({ queryKey: ['listAgentWork'] })
    },
  })
  return { send, key }
}

/**
 * Appends each quoted line once and moves the cursor after it. Runs before paint, so that the first
 * keystrokes already reach the field.
 */
function useQuotedLine(quoted: QuotedLine | null, add: (line: string) => HTMLTextAreaElement | null): void {
  useLayoutEffect(() => {
    if (quoted === null) return
    const field = add(quoted.text)
    field?.focus()
    queueMicrotask(() => field?.setSelectionRange(field.value.length, field.value.length))
  }, [quoted?.number])
}
