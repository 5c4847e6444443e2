import type { InstanceModel } from '../../../../../src/features/accounts/operations/instance.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { type ModelDraft, OFF, PROVIDER_LABELS } from './model-draft.ts'

const EXAMPLE_ADDRESS = 'https://models.example.com/v1'

interface FieldsProps {
  model: InstanceModel
  draft: ModelDraft
  faults: Partial<Record<string, string>>
  onChange: (change: Partial<ModelDraft>) => void
}

export function ModelFields({ model, draft, faults, onChange }: FieldsProps) {
  const choices = model.providers.map(({ name }) => ({ value: name, label: PROVIDER_LABELS[name] ?? name }))
  return (
    <>
      <Field label={t('Provider')}>
        {(field) => (
          <Select
            {...field}
            isFluid
            value={draft.provider}
            options={[{ value: OFF, label: t('None: agent jobs and the assistant are off') }, ...choices]}
            onChange={(provider) => onChange({ provider, url: '', key: '', removesKey: false })}
          />
        )}
      </Field>
      {draft.provider !== OFF && (
        <>
          <TextField
            label={t('Model')}
            error={faults.model}
            hint={t('Its name at the provider, for agent jobs.')}
            isMono
            maxLength={150}
            value={draft.name}
            onText={(name) => onChange({ name })}
          />
          <AddressField model={model} draft={draft} faults={faults} onChange={onChange} />
          <KeyField model={model} draft={draft} faults={faults} onChange={onChange} />
          <AssistantField draft={draft} faults={faults} onChange={onChange} />
          <TextField
            label={t('Context')}
            isOptional
            error={faults.contextTokens}
            hint={contextHint(model)}
            inputMode="numeric"
            autocomplete="off"
            maxLength={12}
            value={draft.contextTokens}
            onText={(contextTokens) => onChange({ contextTokens })}
          />
        </>
      )}
    </>
  )
}

function contextHint({ contextUsed }: InstanceModel): string {
  return contextUsed === null
    ? t('Tokens that the model takes at once, input and output together.')
    : plural(
        contextUsed,
        'Tokens that the model takes at once, input and output together. {count} counts now.',
        'Tokens that the model takes at once, input and output together. {count} count now.',
      )
}

function AddressField({ model, draft, faults, onChange }: FieldsProps) {
  const own = model.providers.find(({ name }) => name === draft.provider)?.url ?? null
  return (
    <TextField
      label={t('Address')}
      isOptional={own !== null}
      error={faults.url}
      hint={t(
        'The part before /chat/completions. It may lead into the server’s own network; redirects are not followed.',
      )}
      isMono
      type="url"
      maxLength={500}
      placeholder={own ?? EXAMPLE_ADDRESS}
      value={draft.url}
      onText={(url) => onChange({ url })}
    />
  )
}

function KeyField({ model: { key, providers }, draft, faults, onChange }: FieldsProps) {
  const provider = providers.find(({ name }) => name === draft.provider)
  const isStored = key?.source === 'dashboard'
  const isInEnvironment = provider?.hasEnvironmentKey === true && draft.url.trim() === ''
  return (
    <>
      <TextField
        label={t('Key')}
        isOptional={provider?.needsKey !== true || isInEnvironment || isStored}
        error={faults.key}
        hint={
          draft.removesKey ? (
            t('The stored key is removed when you save.')
          ) : isStored ? (
            <>
              <StoredKey stored={key} />{' '}
              {t('Leave this empty to keep it; for another address it has to be entered again.')}
            </>
          ) : isInEnvironment ? (
            t('The environment of the server has one. A key that you enter here is used instead.')
          ) : (
            t('Stored encrypted, sent to this address only, and never shown again.')
          )
        }
        type="password"
        isMono
        maxLength={4000}
        autocomplete="off"
        value={draft.key}
        onText={(text) => onChange({ key: text, removesKey: false })}
      />
      {isStored && !draft.removesKey && draft.key === '' && (
        <div class="-mt-2 mb-4">
          <Button size="small" look="quiet" onClick={() => onChange({ removesKey: true })}>
            {t('Remove the key')}
          </Button>
        </div>
      )}
    </>
  )
}

function StoredKey({ stored: { lastFour, setAt } }: { stored: NonNullable<InstanceModel['key']> }) {
  const when = setAt === null ? null : <RelativeTime at={setAt} />
  if (lastFour === null)
    return <>{when === null ? t('A key is stored.') : rich('A key is stored, set {when}.', { when })}</>
  return (
    <>
      {when === null
        ? t('A key that ends in {ending} is stored.', { ending: lastFour })
        : rich('A key that ends in {ending} is stored, set {when}.', { ending: lastFour, when })}
    </>
  )
}

function AssistantField({ draft, faults, onChange }: Omit<FieldsProps, 'model'>) {
  return (
    <>
      <Field
        label={t('Assistant')}
        error={draft.assistant === 'other' ? undefined : faults.assistant}
        hint={t('Answers readers of sites, from their next deployment on.')}
      >
        {(field) => (
          <Select
            {...field}
            isFluid
            value={draft.assistant}
            options={[
              { value: 'off', label: t('Off') },
              { value: 'same', label: t('The same model') },
              { value: 'other', label: t('Another model of this provider') },
            ]}
            onChange={(assistant) => onChange({ assistant: assistant as ModelDraft['assistant'] })}
          />
        )}
      </Field>
      {draft.assistant === 'other' && (
        <TextField
          label={t('Model of the assistant')}
          error={faults.assistant}
          isMono
          maxLength={150}
          value={draft.assistantName}
          onText={(assistantName) => onChange({ assistantName })}
        />
      )}
    </>
  )
}
