/**
 * Models that this process uses. Settings of the environment are fixed until the next start; changes on the
 * dashboard apply immediately.
 */

import type { Log } from '../../base/log.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import { MODEL_SETTINGS } from '../../features/accounts/operations/instance.ts'
import {
  type InstanceSettings,
  openInstanceSecret,
} from '../../features/accounts/settings/instance-settings.ts'
import {
  createSetup,
  type EnvironmentModel,
  findKeyDestination,
  type ModelSetup,
  parseModelChoice,
} from '../../model/model-setup.ts'
import type { ModelKeys } from '../../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../../model/providers.ts'
import { withEffort } from '../config/agent-config.ts'
import type { Config } from '../config/config.ts'
import { OPTIONS } from '../config/config-options.ts'
import { deriveFromSettings, type LiveSettings } from './live-settings.ts'

export interface LiveModels {
  /** Returns the same object until a setting changes. */
  current(): ModelSetup
}

/** Models of a server that is configured on the dashboard but has no model yet. */
const NO_MODELS = { model: null, url: null, contextTokens: null, assistant: null }

export interface LiveModelDeps {
  config: Config
  log: Log
  instanceSecrets: SecretBox
  settings: Pick<LiveSettings, 'current'>
}

export function createLiveModels(deps: LiveModelDeps, keys: ModelKeys): LiveModels {
  const { config, log } = deps
  if (isSetByEnvironment(config)) {
    const setup = { ...configuredModels(config), keys, ownKey: null }
    return { current: () => setup }
  }
  let seen = ''
  let setup: ModelSetup = createSetup(NO_MODELS, null, keys)
  const current = deriveFromSettings(deps.settings, (settings) => {
    const now = settingsStamp(settings)
    if (now === seen) return setup
    seen = now
    setup = resolveSetup(deps, settings, keys)
    log.info({ model: setup.model?.name, assistant: setup.assistant?.name }, 'models.changed')
    return setup
  })
  return { current }
}

export function readEnvironmentModel(config: Config, keys: ModelKeys): EnvironmentModel {
  if (!isSetByEnvironment(config)) return { given: null, keys }
  const { model, assistant, contextTokens } = configuredModels(config)
  const configured = model ?? assistant
  const provider = configured === null ? null : parseModelName(configured.name).provider
  return {
    given: {
      choice: {
        model: model?.name ?? null,
        url: configured?.url ?? null,
        contextTokens,
        assistant: assistant?.name ?? null,
      },
      variables: [
        ...(model === null ? [] : [OPTIONS.model.env]),
        ...(assistant === null ? [] : [OPTIONS.assistantModel.env]),
        ...(configured?.url ? [OPTIONS.modelUrl.env] : []),
        ...(contextTokens === null ? [] : [OPTIONS.modelContext.env]),
      ],
      hasKey: provider !== null && provider !== 'replay' && keys[PROVIDERS[provider].key] !== undefined,
    },
    keys,
  }
}

function isSetByEnvironment({ agent, assistant }: Config): boolean {
  return agent.model !== null || assistant.model !== null
}

function configuredModels({ agent, assistant }: Config) {
  return { model: agent.model, assistant: assistant.model, contextTokens: agent.contextTokens }
}

/** Returns a text that changes whenever a model setting changes. */
function settingsStamp(settings: InstanceSettings): string {
  return JSON.stringify(MODEL_SETTINGS.map((name) => settings.get(name)?.setAt ?? null))
}

function resolveSetup(
  { config, instanceSecrets, log }: LiveModelDeps,
  settings: InstanceSettings,
  keys: ModelKeys,
): ModelSetup {
  const choice = parseModelChoice(settings)
  const contextTokens = choice.contextTokens ?? config.agent.contextTokens
  try {
    const key = openInstanceSecret(instanceSecrets, settings, 'modelKey', findKeyDestination(choice))
    const setup = createSetup({ ...choice, contextTokens }, key, keys)
    return { ...setup, model: setup.model && withEffort(setup.model, config.agent.effort) }
  } catch (error) {
    // A RangeError may mean that only another version of the program supports the provider.
    if (!(error instanceof RangeError)) throw error
    log.error({ model: choice.model, error: error.message }, 'models.not_usable')
    return createSetup(NO_MODELS, null, keys)
  }
}
