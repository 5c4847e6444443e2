import type {
  InstanceModel,
  InstanceModelBody,
  ModelConnectionTest,
} from '../../../../../src/features/accounts/operations/instance.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { textOf } from '../../forms/draft.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { SettingsForm, type TestResult } from '../../forms/settings-form.tsx'
import { plural, t } from '../../words/words.ts'
import {
  EnvironmentSettings,
  failedResult,
  LastChange,
  QuotedAnswer,
  secretField,
  toSeconds,
  UnusableSecret,
} from './server-settings.tsx'

const PROVIDER_LABELS: Record<string, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google Gemini',
  'openai-compatible': t('OpenAI-compatible server'),
  ollama: 'Ollama',
  vllm: 'vLLM',
  lmstudio: 'LM Studio',
}

export function ModelSettings({ stored: model }: { stored: InstanceModel }) {
  if (model.source === 'environment') return <EnvironmentModel model={model} />
  return (
    <>
      <UnusableSecret stored={model.key} />
      <SettingsForm
        operation="updateInstanceModel"
        stored={model}
        read={readModel}
        fields={modelFields}
        trial={{
          isOn: ({ provider }) => Boolean(provider),
          run: async (_, draft) =>
            describeTest(await internal('testInstanceModel', { body: toModelBody(draft) })),
        }}
        save={async (_, { draft }) => {
          const saved = await internal('updateInstanceModel', { body: toModelBody(draft) })
          queryClient.setQueryData(internalKey('getInstanceModel'), saved)
          return saved
        }}
      />
      <LastChange of={model} />
    </>
  )
}

function EnvironmentModel({ model }: { model: InstanceModel }) {
  const { variables, contextUsed, key } = model
  const rows: [string, string | null][] = [
    [t('Agent jobs'), model.model ?? t('off')],
    [t('Site assistant'), model.assistant ?? t('off')],
    [t('URL'), model.url ?? t('the provider’s own')],
    [t('Key'), key === null ? t('none', { context: 'key' }) : t('set', { context: 'key' })],
  ]
  if (contextUsed !== null) rows.push([t('Context'), plural(contextUsed, '{count} token', '{count} tokens')])
  return <EnvironmentSettings variables={variables} rows={rows} />
}

/** A model is named `provider:name`; the form has a field for each part. */
function readModel({ model, assistant, url, contextTokens }: InstanceModel) {
  const [provider = ''] = (model ?? assistant ?? '').split(':', 1)
  const nameIn = (named: string | null) => named?.slice(provider.length + 1) ?? ''
  return {
    ...{ provider, url, contextTokens, model: nameIn(model) },
    assistantKind: assistant === null ? 'off' : assistant === model ? 'same' : 'other',
    assistant: assistant === model ? '' : nameIn(assistant),
  }
}

function toModelBody(draft: Draft): InstanceModelBody {
  const text = (name: string) => textOf(draft, name).trim() || null
  const provider = text('provider')
  if (provider === null) return { model: null, url: null, contextTokens: null, assistant: null, key: null }
  const named = (name: string) => (text(name) === null ? null : `${provider}:${text(name)}`)
  const digits = text('contextTokens')?.replace(/[\s,_.]/g, '') ?? null
  const kind = text('assistantKind')
  return {
    // If the name is missing, the server reports that.
    model: named('model') ?? (kind === 'other' ? null : `${provider}:`),
    url: text('url'),
    // Anything but a number is sent unchanged, so that the server's error appears at the field.
    contextTokens: (digits !== null && /^\d+$/.test(digits) ? Number(digits) : digits) as number | null,
    assistant: kind === 'off' ? null : named(kind === 'same' ? 'model' : 'assistant'),
    ...(text('key') === null ? draft.removesKey === true && { key: null } : { key: text('key') }),
  }
}

const NO_NAME = t('Enter the name of a model at this provider.')

function modelFields(draft: Draft, { providers, key, contextUsed }: InstanceModel): readonly Entry[] {
  const provider = providers.find(({ name }) => name === draft.provider)
  const isHidden = !draft.provider
  const isOther = draft.assistantKind === 'other'
  const isStored = key?.source === 'dashboard'
  const isInEnvironment = provider?.hasEnvironmentKey === true && !textOf(draft, 'url').trim()
  const secret = secretField(
    {
      ...{ name: 'key', label: t('Key'), isHidden },
      isOptional: provider?.needsKey !== true || isInEnvironment,
    },
    isStored ? key : null,
  )
  const ownUrl = provider?.url ?? null
  return [
    {
      name: 'provider',
      kind: 'select',
      label: t('Provider'),
      choices: [
        { value: '', label: t('None: agent jobs and the assistant are off') },
        ...providers.map(({ name }) => ({ value: name, label: PROVIDER_LABELS[name] ?? name })),
      ],
      onChange: () => ({ url: '', key: '', removesKey: false }),
    },
    {
      name: 'model',
      label: t('Model'),
      help: t('Its name at the provider, for agent jobs.'),
      ...{ isHidden, isMono: true, isOptional: false, placeholder: '' },
      errorText: NO_NAME,
    },
    {
      name: 'url',
      label: t('URL'),
      help: t(
        'The part before /chat/completions. A URL in this server’s own network is allowed; redirects are not followed.',
      ),
      ...{ isHidden, isMono: true, isOptional: ownUrl !== null, input: { type: 'url' } },
      ...(ownUrl === null ? { example: 'https://models.example.com/v1' } : { placeholder: ownUrl }),
    },
    isInEnvironment && !isStored
      ? {
          ...secret,
          help: t(
            'The server’s environment already contains a key. A key that you enter here is used instead.',
          ),
        }
      : secret,
    {
      name: 'removesKey',
      kind: 'switch',
      label: t('Remove the stored key'),
      isHidden: isHidden || !isStored || textOf(draft, 'key') !== '',
    },
    {
      name: 'assistantKind',
      kind: 'select',
      label: t('Assistant'),
      help: t('Answers readers’ questions on each site, starting with the site’s next deployment.'),
      isHidden,
      choices: [
        { value: 'off', label: t('Off') },
        { value: 'same', label: t('The same model') },
        { value: 'other', label: t('Another model of this provider') },
      ],
    },
    {
      name: 'assistant',
      label: t('Model of the assistant'),
      ...{ isHidden: isHidden || !isOther, isMono: true, isOptional: false, placeholder: '' },
      errorText: NO_NAME,
    },
    {
      name: 'contextTokens',
      label: t('Context'),
      isHidden,
      help:
        contextUsed === null
          ? t('Tokens that fit into one request, input and output combined.')
          : plural(
              contextUsed,
              'Tokens that fit into one request, input and output combined. Currently {count}.',
              'Tokens that fit into one request, input and output combined. Currently {count}.',
            ),
    },
  ]
}

function describeTest({ failure, said, callsTools, milliseconds }: ModelConnectionTest): TestResult {
  if (failure !== null) return failedResult(failure)
  const seconds = toSeconds(milliseconds)
  const answer = <QuotedAnswer text={said} />
  if (callsTools)
    return {
      hasPassed: true,
      details: answer,
      title: plural(
        seconds,
        'The model answered in {count} second and can call tools',
        'The model answered in {count} seconds and can call tools',
      ),
    }
  return {
    hasPassed: true,
    tone: 'warning',
    title: plural(
      seconds,
      'The model answered in {count} second, but did not call the tool it was given',
      'The model answered in {count} seconds, but did not call the tool it was given',
    ),
    details: (
      <>
        <p>
          {t(
            'Agent jobs need a model and a server that support tool calls. The assistant works without tool calls.',
          )}
        </p>
        {answer}
      </>
    ),
  }
}
