import type { InstanceModel, ModelTrial } from '../../../../../src/contract/instance.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { count } from '../../ui/numbers.ts'
import { t } from '../../words/words.ts'
import { GivenSettings, LastChange, UnusableSecret } from './given-settings.tsx'
import { bodyOf, draftOf, type ModelDraft, OFF } from './model-draft.ts'
import { ModelFields } from './model-fields.tsx'
import { FailedTrial, PassedTrial, Said, TrialForm, useTrialForm } from './trial-form.tsx'

const FIELDS = ['model', 'url', 'contextTokens', 'assistant', 'key'] as const

export function ModelSection({ model }: { model: InstanceModel }) {
  return model.source === 'environment' ? <ModelGiven model={model} /> : <ModelForm model={model} />
}

function ModelGiven({ model }: { model: InstanceModel }) {
  const { variables, contextUsed, key } = model
  const rows = [
    ['Agent jobs', model.model ?? 'off'],
    ['Assistant of sites', model.assistant ?? 'off'],
    ['Address', model.url ?? 'the provider’s own'],
    ['Key', key === null ? 'none' : 'set'],
    ...(contextUsed === null ? [] : [['Context', `${count(contextUsed)} tokens`] as const]),
  ] as const
  return <GivenSettings what={t('the model')} variables={variables} rows={rows} />
}

function ModelForm({ model }: { model: InstanceModel }) {
  const form = useTrialForm({
    fields: FIELDS,
    stored: draftOf(model),
    isOn: ({ provider }) => provider !== OFF,
    test: (draft: ModelDraft) => internal('testInstanceModel', { body: bodyOf(draft) }),
    hasPassed: ({ failure }) => failure === null,
    save: async (draft) => {
      const saved = await internal('updateInstanceModel', { body: bodyOf(draft) })
      queryClient.setQueryData(internalKey('getInstanceModel'), saved)
      toast({ kind: 'done', title: t('The language model is saved') })
      return draftOf(saved)
    },
  })
  return (
    <>
      {model.key?.isUsable === false && (
        <UnusableSecret title={t('The stored key cannot be used')} given="another address" />
      )}
      <TrialForm form={form} what={t('The language model')} notice={modelNotice}>
        <ModelFields model={model} draft={form.draft} faults={form.sending.faults} onChange={form.set} />
      </TrialForm>
      <LastChange of={model} />
    </>
  )
}

function modelNotice({ failure, said, callsTools, milliseconds }: ModelTrial, onSaveAnyway: () => void) {
  if (failure !== null)
    return (
      <FailedTrial title={failure.sentence} onSaveAnyway={onSaveAnyway}>
        {failure.remedy}
      </FailedTrial>
    )
  const answered = `The model answered in ${(milliseconds / 1000).toFixed(1)} seconds`
  if (callsTools)
    return (
      <PassedTrial title={t('{answered}, and calls tools', { answered })}>
        <Said text={said} />
      </PassedTrial>
    )
  return (
    <PassedTrial tone="warning" title={t('{answered}, but did not call the tool it was given', { answered })}>
      <p>{t('Agent jobs need a model, and a server, that calls tools. The assistant does not.')}</p>
      <Said text={said} />
    </PassedTrial>
  )
}
