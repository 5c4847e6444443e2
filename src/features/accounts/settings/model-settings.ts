/** Language model settings of the server: what the dashboard shows, and what operators can choose. */

import { assertNoFaults } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import type { SecretBox } from '../../../base/secret-box.ts'
import type { Queries } from '../../../database/database.ts'
import { contextSize } from '../../../model/context-size.ts'
import { modelFaults } from '../../../model/model-faults.ts'
import {
  type EnvironmentModel,
  findChosenProvider,
  findKeyDestination,
  isModelUrl,
  type ModelChoice,
  parseModelChoice,
} from '../../../model/model-setup.ts'
import type { ModelKeys } from '../../../model/open-model.ts'
import { PROVIDERS, parseModelName } from '../../../model/providers.ts'
import { type InstanceModel, type InstanceModelBody, MODEL_SETTINGS } from '../operations/instance.ts'
import { findUser } from '../people/users.ts'
import { type InstanceSettings, openInstanceSecret, readInstanceSettings } from './instance-settings.ts'

export interface ModelViewDeps {
  instanceSecrets: SecretBox
  environmentModel: EnvironmentModel
}

/**
 * Validates the request. Without a new key the stored key remains, but only for the URL for which it was set.
 * Throws AppError `invalid_request`.
 */
export async function readModelChoice(
  { instanceSecrets, environmentModel }: ModelViewDeps,
  db: Queries,
  { key, ...choice }: InstanceModelBody,
): Promise<{ choice: ModelChoice; existingKey: string | null }> {
  const faults = choiceFaults(choice)
  if (typeof key === 'string' && /[^\x21-\x7e]/.test(key)) faults.push(faultAt('/key', 'model_key'))
  assertNoFaults(faults)
  const settings = await readInstanceSettings(db)
  const existingKey =
    key === null
      ? null
      : openInstanceSecret(instanceSecrets, settings, 'modelKey', findKeyDestination(choice))
  if (!key && existingKey === null) assertNoFaults(keyFaults(choice, environmentModel.keys, settings))
  return { choice, existingKey: key ? null : existingKey }
}

function choiceFaults(choice: ModelChoice): Fault[] {
  const { model, url, assistant } = choice
  const faults = [...modelFaults(model, '/model'), ...modelFaults(assistant, '/assistant')]
  if (faults.length > 0) return faults
  const provider = findChosenProvider(choice)
  if (provider === null) return url === null ? [] : [faultAt('/url', 'url_without_model')]
  if (url !== null && !isModelUrl(url)) faults.push(faultAt('/url', 'web_url'))
  if (url === null && PROVIDERS[provider].url === null)
    faults.push(faultAt('/url', 'model_url_required', { provider }))
  if (assistant !== null && model !== null && parseModelName(assistant).provider !== provider)
    faults.push(faultAt('/assistant', 'same_provider'))
  return faults
}

/** Providers that need a key must have one, and a key set for another URL must be entered again. */
function keyFaults(choice: ModelChoice, keys: ModelKeys, settings: InstanceSettings): Fault[] {
  const provider = findChosenProvider(choice)
  if (provider === null) return []
  const { label, key } = PROVIDERS[provider]
  if (choice.url === null && keys[key] !== undefined) return []
  if (settings.has('modelKey') && label !== null) return [faultAt('/key', 'key_again')]
  return label === null ? [] : [faultAt('/key', 'model_key_required', { provider: label })]
}

export async function modelView(deps: ModelViewDeps, db: Queries): Promise<InstanceModel> {
  const { given, keys } = deps.environmentModel
  const settings = await readInstanceSettings(db)
  const choice = given?.choice ?? parseModelChoice(settings)
  const isChosen = choice.model !== null || choice.assistant !== null
  return {
    source: given !== null ? 'environment' : isChosen ? 'dashboard' : 'none',
    variables: given?.variables ?? [],
    ...choice,
    contextUsed:
      choice.model === null
        ? null
        : contextSize(choice.model, { name: choice.model, tokens: choice.contextTokens }),
    key: given === null && !isKnown(choice) ? null : keyView(deps, settings, choice),
    ...(given === null
      ? await findLastChange(db, settings, MODEL_SETTINGS)
      : { changedBy: null, changedAt: null }),
    providers: Object.entries(PROVIDERS).map(([name, { url, label, key }]) => ({
      name,
      url,
      needsKey: label !== null,
      hasEnvironmentKey: keys[key] !== undefined,
    })),
  }
}

/** Returns false for a provider that only another version of the program supports. */
function isKnown({ model, assistant }: ModelChoice): boolean {
  return [...modelFaults(model, '/model'), ...modelFaults(assistant, '/assistant')].length === 0
}

function keyView(
  { instanceSecrets, environmentModel: { given, keys } }: ModelViewDeps,
  settings: InstanceSettings,
  choice: ModelChoice,
): InstanceModel['key'] {
  const ofEnvironment = { source: 'environment', lastFour: null, setAt: null, isUsable: true } as const
  if (given !== null) return given.hasKey ? ofEnvironment : null
  const stored = settings.get('modelKey')
  if (stored !== undefined)
    return {
      source: 'dashboard',
      lastFour: stored.lastFour,
      setAt: stored.setAt.toISOString(),
      isUsable:
        openInstanceSecret(instanceSecrets, settings, 'modelKey', findKeyDestination(choice)) !== null,
    }
  const provider = findChosenProvider(choice)
  const isInEnvironment =
    provider !== null && choice.url === null && keys[PROVIDERS[provider].key] !== undefined
  return isInEnvironment ? ofEnvironment : null
}

export async function findLastChange(
  db: Queries,
  settings: InstanceSettings,
  names: readonly string[],
): Promise<Pick<InstanceModel, 'changedBy' | 'changedAt'>> {
  const [last] = names
    .flatMap((name) => settings.get(name) ?? [])
    .sort((one, other) => other.setAt.getTime() - one.setAt.getTime())
  if (last === undefined) return { changedBy: null, changedAt: null }
  const user = await findUser(db, last.setBy)
  return { changedBy: user?.name ?? null, changedAt: last.setAt.toISOString() }
}
