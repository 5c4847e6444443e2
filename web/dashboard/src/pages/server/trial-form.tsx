/** Server settings that are tested before they are stored; if the test fails, they are stored only on request. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { OriginalMessage } from '../../ui/original-message.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Finding, translateFinding } from '../../words/finding.ts'
import { rich, t } from '../../words/words.ts'

interface TestedSettings<Name extends string, Draft, Trial> {
  /** Field names of the API. */
  fields: readonly Name[]
  stored: Draft
  /** Settings that turn the feature off are stored without a test. */
  isOn: (draft: Draft) => boolean
  test: (draft: Draft) => Promise<Trial>
  hasPassed: (trial: Trial) => boolean
  /** Resolves with the stored settings. */
  save: (draft: Draft) => Promise<Draft>
}

export function useTrialForm<Name extends string, Draft extends object, Trial>(
  settings: TestedSettings<Name, Draft, Trial>,
) {
  const { stored, hasPassed } = settings
  const [draft, setDraft] = useState(stored)
  const [trial, setTrial] = useState<Trial | null>(null)
  const [isTesting, setTesting] = useState(false)
  const sending = useFormSubmission(settings.fields)
  const isOn = settings.isOn(draft)
  const set = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change })
    setTrial(null)
  }
  const runTest = async () => {
    const testResult = await settings.test(draft)
    setTrial(testResult)
    return testResult
  }
  const store = async () => setDraft(await settings.save(draft))
  const test = () => {
    setTrial(null)
    setTesting(true)
    void sending.send(runTest).finally(() => setTesting(false))
  }
  const save = async () => {
    if (!isOn || hasPassed(await runTest())) await store()
  }
  const saveAnyway = () => void sending.send(store)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(stored)
  return { draft, set, isOn, isDirty, sending, trial, isTesting, test, save, saveAnyway }
}

interface TrialFormProps<Name extends string, Draft extends object, Trial> {
  form: ReturnType<typeof useTrialForm<Name, Draft, Trial>>
  /** Describes what would be lost. */
  warning: string
  testLabel?: string
  notice: (trial: Trial, onSaveAnyway: () => void) => ComponentChildren
  children: ComponentChildren
}

export function TrialForm<Name extends string, Draft extends object, Trial>({
  form: { isOn, isDirty, sending, trial, isTesting, test, save, saveAnyway },
  warning,
  testLabel = t('Test'),
  notice,
  children,
}: TrialFormProps<Name, Draft, Trial>) {
  return (
    <>
      <UnsavedGuard isDirty={isDirty} warning={warning} />
      <SubmissionForm sending={sending} onSubmit={save} noValidate>
        {children}
        {trial !== null && notice(trial, saveAnyway)}
        <div class="flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={!isDirty} isBusy={sending.isBusy && !isTesting}>
            {t('Save')}
          </Button>
          <Button disabled={!isOn || sending.isBusy} isBusy={isTesting} onClick={test}>
            {testLabel}
          </Button>
        </div>
      </SubmissionForm>
    </>
  )
}

export function FailedTrial({
  title,
  onSaveAnyway,
  children,
}: {
  title: string
  onSaveAnyway: () => void
  children: ComponentChildren
}) {
  return (
    <div role="alert">
      <Notice
        tone="danger"
        title={title}
        actions={
          <Button size="small" onClick={onSaveAnyway}>
            {t('Save anyway')}
          </Button>
        }
      >
        {children}
      </Notice>
    </div>
  )
}

/** Failed test with its finding. */
export function FailedFinding({
  finding: { code, sentence, remedy },
  onSaveAnyway,
}: {
  finding: Required<Finding>
  onSaveAnyway: () => void
}) {
  // The remedy is already part of this notice.
  const translation = translateFinding({ code, sentence })
  return (
    <FailedTrial title={translation?.meaning ?? sentence} onSaveAnyway={onSaveAnyway}>
      {translation?.remedy ?? remedy}
      <OriginalMessage text={translation?.original ?? null} />
    </FailedTrial>
  )
}

export function PassedTrial({
  title,
  tone = 'success',
  children,
}: {
  title: string
  tone?: 'success' | 'warning'
  children?: ComponentChildren
}) {
  return (
    <div role="status">
      <Notice tone={tone} title={title}>
        {children}
      </Notice>
    </div>
  )
}

/** Quotes the message of another server, which is untrusted text. */
export function QuotedAnswer({ text }: { text: string | null }) {
  if (text === null) return null
  return <p>{rich('It said: {text}', { text: <PlainText text={text} /> })}</p>
}

/** Rounds to tenths. */
export function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10
}
