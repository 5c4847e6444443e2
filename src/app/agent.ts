/** Assembles agent jobs: dependencies of their API, their workers, and the tracking of their pull requests. */

import { totalmem } from 'node:os'
import type { Effort } from '../base/api/form-choices.ts'
import { PermanentError } from '../base/errors/permanent-error.ts'
import { createExclusiveGate } from '../base/exclusive-gate.ts'
import { createWorkGate } from '../base/fair-gate.ts'
import { SYSTEM_ACTOR } from '../database/audit.ts'
import { createToolSandboxPool } from '../features/agent/check/tool-sandboxes.ts'
import type { FeedbackAccess, QuestionAccess } from '../features/agent/loop/feedback-access.ts'
import type { PullRequestDeps } from '../features/agent/publish/pull-requests.ts'
import type { AgentSetup } from '../features/agent/setup.ts'
import { findLeased } from '../features/agent/store.ts'
import type { RunDeps } from '../features/agent/turn-context.ts'
import { findQuestionsForJob } from '../features/analytics/asked-questions.ts'
import { type Assistant, createAssistant } from '../features/assistant/assistant.ts'
import { reopenFeedback, resolveFeedback, startFeedbackWork } from '../features/feedback/claim-feedback.ts'
import { recordFeedbackChanges } from '../features/feedback/intake/record-events.ts'
import { startDeployment } from '../features/hosting/deploy/start-deployment.ts'
import { responseLimits } from '../model/bounded-fetch.ts'
import { contextSize } from '../model/context-size.ts'
import type { Model } from '../model/model.ts'
import { type ModelSetup, selectModelKeys } from '../model/model-setup.ts'
import { type ModelSettings, openModel } from '../model/open-model.ts'
import { calculateCost, weightedTokens } from '../model/prices.ts'
import { parseModelName } from '../model/providers.ts'
import { acceptsImages } from '../model/sees-pictures.ts'
import { createLeaseWatch } from '../queue/shared-lease.ts'
import type { Secrets } from './config/config.ts'
import { createGitAccess } from './config/git-access.ts'
import type { Context } from './context.ts'

/**
 * Maximum number of idle render processes that stay loaded for jobs waiting for their model. With fewer
 * processes than sites in use, each tool call starts a new one. A process for a large site takes a few
 * hundred megabytes; to be safe, one process is allowed per two gigabytes of the machine's memory.
 */
const MAX_IDLE_WORKSPACES = 10
const MIN_IDLE_WORKSPACES = 2
const BYTES_PER_WORKSPACE = 2 * 1024 ** 3

function idleWorkspaceLimit(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(
    MIN_IDLE_WORKSPACES,
    Math.min(MAX_IDLE_WORKSPACES, Math.floor(memory / BYTES_PER_WORKSPACE)),
  )
}

export interface AgentServices {
  agent: AgentSetup
  feedback: FeedbackAccess
  questions: QuestionAccess
  run: RunDeps
  pullRequests: PullRequestDeps
  assistant: () => Assistant | null
}

export function createAgentServices(context: Context, secrets: Secrets): AgentServices {
  const { config, database, objects, metrics, queue, log, secret, publicUrl } = context
  const { models } = context
  const agent = createAgentSetup(context)
  const feedback = createFeedbackAccess()
  const onMerged: RunDeps['onMerged'] = async (tx, { organizationId, projectId }) => {
    await startDeployment({ queue }, tx, { organizationId, projectId, actor: SYSTEM_ACTOR, trigger: 'merge' })
  }
  const { source: git, openForge } = createGitAccess(context, secrets)
  return {
    agent,
    feedback,
    questions: { find: findQuestionsForJob },
    assistant: createAssistantProvider(context),
    run: {
      database,
      objects,
      git,
      agent,
      openModel: (name, effort) => metrics.measureModel(openNamedModel(context, name, effort)),
      openForge,
      feedback,
      onMerged,
      costOf: (name, usage) => calculateCost(config.agent.prices, name, usage),
      weighTokens: (name, usage) => weightedTokens(config.agent.prices, name, usage),
      seesPictures: (name) => acceptsImages(name, config.agent.seesPictures),
      contextOf: (name) =>
        contextSize(name, { name: agent.modelName ?? '', tokens: models.current().contextTokens }),
      patienceSeconds: config.agent.patienceSeconds,
      author: config.agent.author,
      commitKeys: context.commitKeys,
      renderChildren: config.renderChildren,
      // No self-review with a recording, because it contains responses only to the requests made while it was recorded.
      looksAgain: config.agent.selfReview && (config.agent.model?.replayFile ?? null) === null,
      vale: config.agent.vale,
      guardedFetch: context.egress.fetchFor('agent'),
      turns: createExclusiveGate(),
      toolSandboxes: createToolSandboxPool({
        objects,
        log,
        renderChildren: config.renderChildren,
        siteMemoryMb: config.siteMemoryMb,
        gate: createWorkGate(config.workers),
        mostProcesses: config.workers + idleWorkspaceLimit(),
      }),
      watchHeld: createLeaseWatch((held) => findLeased(database.queries, held)),
      publicUrl,
      secret,
    },
    pullRequests: {
      database,
      queue,
      agent,
      git,
      openForge,
      feedback,
      onMerged,
      log,
      onRound: () => metrics.loopCompleted('pull_requests'),
    },
  }
}

/** Agent settings. `modelName` is a getter, because operators may change the model at any time. */
function createAgentSetup({ models, config }: Context): AgentSetup {
  return {
    get modelName() {
      return models.current().model?.name ?? null
    },
    caps: config.agent.caps,
  }
}

export function createAssistantProvider(context: Context): () => Assistant | null {
  let setup: ModelSetup | null = null
  let assistant: Assistant | null = null
  return () => {
    const current = context.models.current()
    if (current !== setup) {
      setup = current
      assistant = createReaderAssistant(context, current)
    }
    return assistant
  }
}

function createReaderAssistant(
  { config, database, log, metrics, egress }: Context,
  setup: ModelSetup,
): Assistant | null {
  const { assistant: settings } = setup
  if (settings === null) return null
  const limits = responseLimits(
    Math.min(ASSISTANT_FIRST_BYTE_TIMEOUT_MS, config.agent.modelWaitSeconds * 1000),
  )
  const model = metrics.measureModel(
    openModel(settings, selectModelKeys(setup, settings.name), egress.guardFor('models'), limits),
  )
  return createAssistant({ database, log, model, monthly: config.assistant.monthly })
}

/** Time limit for the first byte of the model's response, because a reader is waiting. */
const ASSISTANT_FIRST_BYTE_TIMEOUT_MS = 60_000

function createFeedbackAccess(): FeedbackAccess {
  const deps = { reportFeedbackChanges: recordFeedbackChanges }
  return {
    claim: (tx, request) => startFeedbackWork(deps, tx, request),
    resolve: (tx, request) => resolveFeedback(deps, tx, request),
    release: (tx, request) => reopenFeedback(deps, tx, request),
  }
}

/** Opens the model of the operator or of a project. A configured URL applies only to the operator's provider. */
function openNamedModel(
  { config: { agent }, models, egress }: Context,
  name: string,
  effort: Effort | null,
): Model {
  const setup = models.current()
  const configured = setup.model
  if (configured === null) throw new PermanentError('model_missing', 'No AI model is configured anymore.')
  try {
    const isSameProvider = parseModelName(name).provider === parseModelName(configured.name).provider
    const url = isSameProvider ? configured.url : null
    const settings: ModelSettings = { ...configured, name, url, ...(effort !== null && { effort }) }
    const limits = responseLimits(agent.modelWaitSeconds * 1000)
    return openModel(settings, selectModelKeys(setup, name), egress.guardFor('models'), limits)
  } catch (error) {
    if (error instanceof RangeError)
      throw new PermanentError('model_missing', `The model ${name} cannot be used. ${error.message}`)
    throw error
  }
}
