import type {
  InstanceModel,
  ModelConnectionTest,
} from '../../../../../src/features/accounts/operations/instance.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { plural, t } from '../../words/words.ts'
import { EnvironmentSettings, LastChange, UnusableSecret } from './environment-settings.tsx'
import { type ModelDraft, OFF, toModelBody, toModelDraft } from './model-draft.ts'
import { ModelFields } from './model-fields.tsx'
import {
  FailedFinding,
  PassedTrial,
  QuotedAnswer,
  TrialForm,
  toSeconds,
  useTrialForm,
} from './trial-form.tsx'

const FIELDS = ['model', 'url', 'contextTokens', 'assistant', 'key'] as const

export function ModelSection({ model }: { model: InstanceModel }) {
  return model.source === 'environment' ? <EnvironmentModel model={model} /> : <ModelForm model={model} />
}

function EnvironmentModel({ model }: { model: InstanceModel }) {
  const { variables, contextUsed, key } = model
  const rows = [
    [t('Agent jobs'), model.model ?? t('off')],
    [t('Assistant of sites'), model.assistant ?? t('off')],
    [t('Address'), model.url ?? t('the provider’s own')],
    [t('Key'), key === null ? t('none', { context: 'key' }) : t('set', { context: 'key' })],
    ...(contextUsed === null
      ? []
      : [[t('Context'), plural(contextUsed, '{count} token', '{count} tokens')] as const]),
  ] as const
  const advice = t(
    'To set the model here, remove {variables} from the environment of the server and restart it.',
    { variables: variables.join(', ') },
  )
  return <EnvironmentSettings advice={advice} rows={rows} />
}

function ModelForm({ model }: { model: InstanceModel }) {
  const form = useTrialForm({
    fields: FIELDS,
    stored: toModelDraft(model),
    isOn: ({ provider }) => provider !== OFF,
    test: (draft: ModelDraft) => internal('testInstanceModel', { body: toModelBody(draft) }),
    hasPassed: ({ failure }) => failure === null,
    save: async (draft) => {
      const saved = await internal('updateInstanceModel', { body: toModelBody(draft) })
      queryClient.setQueryData(internalKey('getInstanceModel'), saved)
      toast({ kind: 'done', title: t('The language model is saved') })
      return toModelDraft(saved)
    },
  })
  return (
    <>
      {model.key?.isUsable === false && (
        <UnusableSecret
          title={t('The stored key cannot be used')}
          about={t(
            'It was given for another address, or the secret of the server has changed. Enter it again.',
          )}
        />
      )}
      <TrialForm
        form={form}
        warning={t('Your changes to the language model will be lost.')}
        notice={modelNotice}
      >
        <ModelFields model={model} draft={form.draft} faults={form.sending.faults} onChange={form.set} />
      </TrialForm>
      <LastChange of={model} />
    </>
  )
}

function modelNotice(
  { failure, said, callsTools, milliseconds }: ModelConnectionTest,
  onSaveAnyway: () => void,
) {
  if (failure !== null) return <FailedFinding finding={failure} onSaveAnyway={onSaveAnyway} />
  const seconds = toSeconds(milliseconds)
  if (callsTools)
    return (
      <PassedTrial
        title={plural(
          seconds,
          'The model answered in {count} second, and calls tools',
          'The model answered in {count} seconds, and calls tools',
        )}
      >
        <QuotedAnswer text={said} />
      </PassedTrial>
    )
  return (
    <PassedTrial
      tone="warning"
      title={plural(
        seconds,
        'The model answered in {count} second, but did not call the tool it was given',
        'The model answered in {count} seconds, but did not call the tool it was given',
      )}
    >
      <p>{t('Agent jobs need a model, and a server, that calls tools. The assistant does not.')}</p>
      <QuotedAnswer text={said} />
    </PassedTrial>
  )
}
