/**
 * Which models this process asks now. What the environment says stands until the next start. What operators set on the
 * dashboard is looked at every two seconds: by each node and worker, through every kind of pool in front of the database.
 */
import {
  type InstanceSettings,
  openInstanceSecret,
  readInstanceSettings,
} from '../accounts/instance-settings.ts'
import type { Log } from '../base/log.ts'
import type { SecretBox } from '../base/secret-box.ts'
import { MODEL_SETTINGS } from '../contract/instance.ts'
import type { Database } from '../database/database.ts'
import {
  chosenModel,
  type EnvironmentModel,
  keyPlace,
  type ModelSetup,
  setupOf,
} from '../model/model-setup.ts'
import type { ModelKeys } from '../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../model/providers.ts'
import type { Config } from './config.ts'
import { OPTIONS } from './config-options.ts'

export interface LiveModels extends Disposable {
  /** The same object until something has changed. */
  current(): ModelSetup
}

const LOOK_MS = 2000
/** Of a server that is set up on the dashboard and has nothing yet. */
const NOTHING = { model: null, url: null, contextTokens: null, assistant: null }

export interface LiveModelDeps {
  config: Config
  database: Database
  log: Log
  instanceSecrets: SecretBox
}

export async function followModels(deps: LiveModelDeps, keys: ModelKeys): Promise<LiveModels> {
  const { config, database, log } = deps
  if (isSetByEnvironment(config)) {
    const setup = { ...modelsOf(config), keys, ownKey: null }
    return { current: () => setup, [Symbol.dispose]: () => {} }
  }
  let seen = ''
  let setup: ModelSetup = setupOf(NOTHING, null, keys)
  let isAway = false
  const look = async () => {
    const settings = await readInstanceSettings(database.queries)
    isAway = false
    const now = stampOf(settings)
    if (now === seen) return
    seen = now
    setup = setupIn(deps, settings, keys)
    log.info({ model: setup.model?.name, assistant: setup.assistant?.name }, 'models.changed')
  }
  await look()
  let timer: NodeJS.Timeout | null = null
  let isOver = false
  const lookAgain = () => {
    if (isOver) return
    timer = setTimeout(() => {
      look()
        .catch((error: Error) => {
          if (!isAway) log.warn({ error: error.message }, 'models.not_read')
          isAway = true
        })
        .finally(lookAgain)
    }, LOOK_MS).unref()
  }
  lookAgain()
  return {
    current: () => setup,
    [Symbol.dispose]() {
      isOver = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** What the dashboard is told of it. */
export function environmentModel(config: Config, keys: ModelKeys): EnvironmentModel {
  if (!isSetByEnvironment(config)) return { given: null, keys }
  const { model, assistant, contextTokens } = modelsOf(config)
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

function modelsOf({ agent, assistant }: Config) {
  return { model: agent.model, assistant: assistant.model, contextTokens: agent.contextTokens }
}

/** A change of any setting of models makes another text. */
function stampOf(settings: InstanceSettings): string {
  return JSON.stringify(MODEL_SETTINGS.map((name) => settings.get(name)?.setAt ?? null))
}

function setupIn(
  { config, instanceSecrets, log }: LiveModelDeps,
  settings: InstanceSettings,
  keys: ModelKeys,
): ModelSetup {
  const choice = chosenModel(settings)
  const contextTokens = choice.contextTokens ?? config.agent.contextTokens
  try {
    const key = openInstanceSecret(instanceSecrets, settings, 'modelKey', keyPlace(choice))
    return setupOf({ ...choice, contextTokens }, key, keys)
  } catch (error) {
    // A provider that another version knows.
    if (!(error instanceof RangeError)) throw error
    log.error({ model: choice.model, error: error.message }, 'models.not_usable')
    return setupOf(NOTHING, null, keys)
  }
}
