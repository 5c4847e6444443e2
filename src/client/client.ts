/** The typed client of the API: no dependency, runs wherever `fetch` does. */
import type {
  AgentJob,
  AgentJobList,
  AgentReview,
  CreateAgentJobBody,
  ListAgentJobsQuery,
} from '../contract/agent.ts'
import type { Deployment } from '../contract/deployments.ts'
import type {
  FeedbackByPageQuery,
  FeedbackDetail,
  FeedbackExportQuery,
  FeedbackList,
  FeedbackQuery,
  PageFeedbackList,
  UpdatedFeedback,
  UpdateFeedbackBody,
  UpdateManyFeedbackBody,
  UpdateManyFeedbackQuery,
} from '../contract/feedback.ts'
import type { ExportBundle, ExportJob, ExportJobList, StartExportBody } from '../contract/static-export.ts'
import { type ClientOptions, createCaller, queryOf } from './call.ts'
import { webhookCalls } from './webhook-calls.ts'

export type OctavoClient = ReturnType<typeof createClient>

export function createClient(options: ClientOptions) {
  const { call, stream } = createCaller(options)
  const job = (jobId: string) => `/v1/static-export/jobs/${encodeURIComponent(jobId)}`
  const agent = (projectId: string) => `/v2/agent/${encodeURIComponent(projectId)}`
  const agentJob = (projectId: string, id: string) => `${agent(projectId)}/job/${encodeURIComponent(id)}`
  const steer = (word: string) => (projectId: string, id: string) =>
    call<AgentJob>({ method: 'POST', path: `${agentJob(projectId, id)}/${word}` })
  const feedback = (projectId: string) => `/v1/analytics/${encodeURIComponent(projectId)}/feedback`
  return {
    startExport: (body: StartExportBody, more: { idempotencyKey?: string; signal?: AbortSignal } = {}) =>
      call<ExportJob>({ method: 'POST', path: '/v1/static-export/jobs', body, ...more }),
    getExport: (jobId: string, signal?: AbortSignal) =>
      call<ExportJob>({ method: 'GET', path: job(jobId), ...(signal ? { signal } : {}) }),
    listExports: (page: { limit?: number; cursor?: string } = {}) =>
      call<ExportJobList>({ method: 'GET', path: `/v1/static-export/jobs${queryOf(page)}` }),
    generateBundle: (jobId: string) => call<ExportBundle>({ method: 'POST', path: `${job(jobId)}/bundle` }),
    cancelExport: (jobId: string) => call<ExportJob>({ method: 'POST', path: `${job(jobId)}/cancel` }),

    createAgentJob: (projectId: string, body: CreateAgentJobBody, more: { idempotencyKey?: string } = {}) =>
      call<AgentJob>({ method: 'POST', path: `${agent(projectId)}/job`, body, ...more }),
    listAgentJobs: (projectId: string, query: ListAgentJobsQuery = {}) =>
      call<AgentJobList>({ method: 'GET', path: `${agent(projectId)}/jobs${queryOf(query)}` }),
    getAgentJob: (projectId: string, id: string, signal?: AbortSignal) =>
      call<AgentJob>({ method: 'GET', path: agentJob(projectId, id), ...(signal ? { signal } : {}) }),
    sendAgentMessage: (
      projectId: string,
      id: string,
      body: { prompt: string },
      more: { idempotencyKey?: string } = {},
    ) => call<AgentJob>({ method: 'POST', path: `${agentJob(projectId, id)}/message`, body, ...more }),
    cancelAgentJob: steer('cancel'),
    archiveAgentJob: steer('archive'),
    acceptAgentJob: steer('accept'),
    declineAgentJob: steer('decline'),
    getAgentReview: (projectId: string, id: string) =>
      call<AgentReview>({ method: 'GET', path: `${agentJob(projectId, id)}/review` }),
    /** Server-sent events, as they come. A connection that breaks rejects; `followAgentJob` goes on behind it. */
    streamAgentEvents: (
      projectId: string,
      id: string,
      more: { lastEventId?: number; signal?: AbortSignal } = {},
    ) => stream({ method: 'GET', path: `${agentJob(projectId, id)}/events`, ...more }),

    listFeedback: (projectId: string, query: FeedbackQuery = {}) =>
      call<FeedbackList>({ method: 'GET', path: feedback(projectId) + queryOf(query) }),
    getFeedback: (projectId: string, feedbackId: string) =>
      call<FeedbackDetail>({
        method: 'GET',
        path: `${feedback(projectId)}/${encodeURIComponent(feedbackId)}`,
      }),
    updateFeedback: (projectId: string, feedbackId: string, body: UpdateFeedbackBody) =>
      call<FeedbackDetail>({
        method: 'PATCH',
        path: `${feedback(projectId)}/${encodeURIComponent(feedbackId)}`,
        body,
      }),
    updateManyFeedback: (projectId: string, query: UpdateManyFeedbackQuery, body: UpdateManyFeedbackBody) =>
      call<UpdatedFeedback>({ method: 'PATCH', path: feedback(projectId) + queryOf(query), body }),
    /** JSON lines or CSV, as they come. A connection that breaks rejects; `downloadFeedback` goes on behind it. */
    exportFeedback: (projectId: string, query: FeedbackExportQuery = {}, signal?: AbortSignal) =>
      stream({
        method: 'GET',
        path: `${feedback(projectId)}/export${queryOf(query)}`,
        ...(signal ? { signal } : {}),
      }),
    getFeedbackByPage: (projectId: string, query: FeedbackByPageQuery = {}) =>
      call<PageFeedbackList>({ method: 'GET', path: `${feedback(projectId)}/by-page${queryOf(query)}` }),

    startDeployment: (projectId: string, more: { idempotencyKey?: string } = {}) =>
      call<Deployment>({ method: 'POST', path: `/v1/deployments/${encodeURIComponent(projectId)}`, ...more }),
    getDeployment: (projectId: string, deploymentId: string) =>
      call<Deployment>({
        method: 'GET',
        path: `/v1/deployments/${encodeURIComponent(projectId)}/${encodeURIComponent(deploymentId)}`,
      }),

    ...webhookCalls(call),
  }
}
