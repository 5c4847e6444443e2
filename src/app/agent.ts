/** Assembles agent jobs: dependencies of their API, their workers, and the tracking of their pull requests. */

import { totalmem } from 'node:os'
import type { Effort } from '../base/api/form-choices.ts'
import { PermanentError } from '../base/errors/permanent-error.ts'
import { createExclusiveGate } from '../base/exclusive-gate.ts'
import { createWorkGate } from '../base/fair-gate.ts'
import { SYSTEM_ACTOR } from '../database/audit.ts'
import { createBenches } from '../features/agent/check/benches.ts'
import type { FeedbackDesk } from '../features/agent/loop/feedback-desk.ts'
import type { QuestionDesk } from '../features/agent/loop/question-desk.ts'
import type { PullRequestDeps } from '../features/agent/publish/pull-requests.ts'
import type { RunDeps } from '../features/agent/run.ts'
import type { AgentSetup } from '../features/agent/setup.ts'
import { stillHeld } from '../features/agent/store.ts'
import { findForJob } from '../features/analytics/asked-questions.ts'
import { type Assistant, createAssistant } from '../features/assistant/assistant.ts'
import { recordFeedbackChanges } from '../features/feedback/intake/record-events.ts'
import { giveBackFeedback, resolveFeedback, takeUpFeedback } from '../features/feedback/job-feedback.ts'
import { startDeployment } from '../features/hosting/deploy/start-deployment.ts'
import { answerLimits } from '../model/bounded-fetch.ts'
import { contextSize } from '../model/context-size.ts'
import type { Model } from '../model/model.ts'
import { keysFor, type ModelSetup } from '../model/model-setup.ts'
import { type ModelSettings, openModel } from '../model/open-model.ts'
import { costOf, weighedTokens } from '../model/prices.ts'
import { parseModelName } from '../model/providers.ts'
import { seesPictures } from '../model/sees-pictures.ts'
import { createHeldWatch } from '../queue/shared-lease.ts'
import type { Secrets } from './config/config.ts'
import { createGitAccess } from './config/git-access.ts'
import type { Context } from './context.ts'

/**
 * Render processes that stay loaded for jobs whose model is thinking, in addition to those at work. With fewer
 * processes than sites in use, each tool call starts a new one. A process for a large site takes a few hundred
 * megabytes; the calculation allows two gigabytes of the machine's memory for each.
 */
const MOST_SPARE_BENCHES = 10
const LEAST_SPARE_BENCHES = 2
const MEMORY_OF_BENCH = 2 * 1024 ** 3

function spareBenches(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(LEAST_SPARE_BENCHES, Math.min(MOST_SPARE_BENCHES, Math.floor(memory / MEMORY_OF_BENCH)))
}

export interface AgentParts {
  agent: AgentSetup
  feedback: FeedbackDesk
  questions: QuestionDesk
  run: RunDeps
  pullRequests: PullRequestDeps
  /** Returns null if no model is configured for the assistant. */
  assistant: () => Assistant | null
}

export function createAgentParts(context: Context, secrets: Secrets): AgentParts {
  const { config, database, objects, metrics, queue, log, secret, publicUrl } = context
  const { models } = context
  const agent = agentSetup(context)
  const feedback = createFeedbackDesk()
  const onMerged: RunDeps['onMerged'] = async (tx, { organizationId, projectId }) => {
    await startDeployment({ queue }, tx, { organizationId, projectId, actor: SYSTEM_ACTOR, trigger: 'merge' })
  }
  const { source: git, openForge } = createGitAccess(context, secrets)
  return {
    agent,
    feedback,
    questions: { find: findForJob },
    assistant: followAssistant(context),
    run: {
      database,
      objects,
      git,
      agent,
      openModel: (name, effort) => metrics.countedModel(openNamedModel(context, name, effort)),
      openForge,
      feedback,
      onMerged,
      costOf: (name, usage) => costOf(config.agent.prices, name, usage),
      weighTokens: (name, usage) => weighedTokens(config.agent.prices, name, usage),
      seesPictures: (name) => seesPictures(name, config.agent.seesPictures),
      contextOf: (name) =>
        contextSize(name, { name: agent.modelName ?? '', tokens: models.current().contextTokens }),
      patienceSeconds: config.agent.patienceSeconds,
      author: config.agent.author,
      commitKeys: context.commitKeys,
      renderChildren: config.renderChildren,
      // A recording only answers the requests that were made when it was recorded.
      looksAgain: config.agent.selfReview && (config.agent.model?.replayFile ?? null) === null,
      guardedFetch: context.egress.fetchOf('agent'),
      turns: createExclusiveGate(),
      benches: createBenches({
        objects,
        log,
        renderChildren: config.renderChildren,
        siteMemoryMb: config.siteMemoryMb,
        gate: createWorkGate(config.workers),
        mostProcesses: config.workers + spareBenches(),
      }),
      watchHeld: createHeldWatch((held) => stillHeld(database.queries, held)),
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
      onLook: () => metrics.loopCameThrough('pull_requests'),
    },
  }
}

/** Agent settings. `modelName` is a getter, because operators may change the model at any time. */
function agentSetup({ models, config }: Context): AgentSetup {
  return {
    get modelName() {
      return models.current().model?.name ?? null
    },
    caps: config.agent.caps,
  }
}

/** Returns the assistant, recreated whenever the model settings change. */
function followAssistant(context: Context): () => Assistant | null {
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
  const limits = answerLimits(Math.min(ASSISTANT_WAIT_MS, config.agent.modelWaitSeconds * 1000))
  const model = metrics.countedModel(
    openModel(settings, keysFor(setup, settings.name), egress.guardOf('models'), limits),
  )
  return createAssistant({ database, log, model, monthly: config.assistant.monthly })
}

/** Time limit for the start of the model's answer, since a reader is waiting. */
const ASSISTANT_WAIT_MS = 60_000

function createFeedbackDesk(): FeedbackDesk {
  const deps = { tellFeedbackChanges: recordFeedbackChanges }
  return {
    takeUp: (tx, wanted) => takeUpFeedback(deps, tx, wanted),
    resolve: (tx, wanted) => resolveFeedback(deps, tx, wanted),
    giveBack: (tx, wanted) => giveBackFeedback(deps, tx, wanted),
  }
}

/**
 * Opens the operator's model or one chosen by a project. A configured URL applies only to the operator's provider.
 */
function openNamedModel(
  { config: { agent }, models, egress }: Context,
  name: string,
  effort: Effort | null,
): Model {
  const setup = models.current()
  const configured = setup.model
  if (configured === null) throw new PermanentError('model_missing', 'No AI model is configured any more.')
  try {
    const isSameProvider = parseModelName(name).provider === parseModelName(configured.name).provider
    const url = isSameProvider ? configured.url : null
    const settings: ModelSettings = { ...configured, name, url, ...(effort !== null && { effort }) }
    const limits = answerLimits(agent.modelWaitSeconds * 1000)
    return openModel(settings, keysFor(setup, name), egress.guardOf('models'), limits)
  } catch (error) {
    if (error instanceof RangeError)
      throw new PermanentError('model_missing', `The model ${name} cannot be used. ${error.message}`)
    throw error
  }
}
