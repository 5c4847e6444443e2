import { useState } from 'preact/hooks'
import type { InstanceModel, ModelTrial } from '../../../../../src/contract/instance.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/card.tsx'
import { SentForm, useSending } from '../../ui/form.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { bodyOf, draftOf, type ModelDraft, OFF } from './model-draft.ts'
import { ModelFields } from './model-fields.tsx'
import { ModelGiven } from './model-given.tsx'
import { TrialNotice } from './trial-notice.tsx'

const FIELDS = ['model', 'url', 'contextTokens', 'assistant', 'key'] as const

export function ModelSection({ model }: { model: InstanceModel }) {
  return model.source === 'environment' ? <ModelGiven model={model} /> : <ModelForm model={model} />
}

/** Saving asks the model first: what does not answer is stored only when somebody says so. */
function ModelForm({ model }: { model: InstanceModel }) {
  const { draft, set, isDirty, sending, trial, isTesting, test, save } = useModelForm(model)
  const isOff = draft.provider === OFF
  return (
    <>
      <UnsavedGuard isDirty={isDirty} what="The language model" />
      {model.key?.isUsable === false && (
        <Notice tone="warning" title="The stored key cannot be used">
          It was given for another address, or the secret of the server has changed. Enter it again.
        </Notice>
      )}
      <Card class="p-4">
        <SentForm sending={sending} onSubmit={() => save(false)} noValidate>
          <ModelFields model={model} draft={draft} faults={sending.faults} onChange={set} />
          {trial !== null && (
            <TrialNotice trial={trial} onSaveAnyway={() => void sending.send(() => save(true))} />
          )}
          <div class="flex flex-wrap gap-2">
            <Button type="submit" look="primary" disabled={!isDirty} isBusy={sending.isBusy && !isTesting}>
              Save
            </Button>
            <Button disabled={isOff || sending.isBusy} isBusy={isTesting} onClick={test}>
              Test
            </Button>
          </div>
        </SentForm>
      </Card>
      {model.changedAt !== null && (
        <p class="mt-2 text-13 text-soft">
          Changed <RelativeTime at={model.changedAt} /> by {model.changedBy ?? 'a former member'}.
        </p>
      )}
    </>
  )
}

function useModelForm(model: InstanceModel) {
  const [draft, setDraft] = useState(() => draftOf(model))
  const [trial, setTrial] = useState<ModelTrial | null>(null)
  const [isTesting, setTesting] = useState(false)
  const sending = useSending(FIELDS)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(model))
  const set = (change: Partial<ModelDraft>) => {
    setDraft({ ...draft, ...change })
    setTrial(null)
  }
  const ask = async () => {
    const asked = await internal('testInstanceModel', { body: bodyOf(draft) })
    setTrial(asked)
    return asked
  }
  const test = () => {
    setTrial(null)
    setTesting(true)
    void sending.send(ask).finally(() => setTesting(false))
  }
  const save = async (isUntested: boolean) => {
    if (!isUntested && draft.provider !== OFF && (await ask()).failure !== null) return
    const saved = await internal('updateInstanceModel', { body: bodyOf(draft) })
    setDraft(draftOf(saved))
    queryClient.setQueryData(internalKey('getInstanceModel'), saved)
    toast({ kind: 'done', title: 'The language model is saved' })
  }
  return { draft, set, isDirty, sending, trial, isTesting, test, save }
}
