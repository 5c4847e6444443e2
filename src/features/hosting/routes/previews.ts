/** Routes of previews of branches and pull requests: create, read, rebuild, remove. */
import { AppError } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { type Handlers, locationHeader } from '../../../routing/handler.ts'
import type { StartDeploymentDeps } from '../deploy/start-deployment.ts'
import { isBranchName, PREVIEW_OPERATIONS } from '../operations/previews.ts'
import { type PreviewAddresses, previewUrl, requirePreviewDomain } from '../previews/preview-address.ts'
import { branchRef, buildPreview, removePreview, requirePreview } from '../previews/previews.ts'
import { getPreview, listPreviews } from '../previews/read-previews.ts'

interface PreviewDeps extends StartDeploymentDeps, PreviewAddresses {}

export function previewHandlers(deps: PreviewDeps): Handlers<typeof PREVIEW_OPERATIONS> {
  return {
    async createPreview({ tx, caller: { organizationId, id: actor }, params: { projectId }, body }) {
      requirePreviewDomain(deps)
      const { branch } = body
      if (!isBranchName(branch))
        throw new AppError('invalid_request', {
          details: [faultAt('/branch', 'invalid_branch')],
        })
      const wanted = { organizationId, projectId, actor, trigger: 'request', branch } as const
      const made = await buildPreview(deps, tx, { ...wanted, ref: branchRef(branch) })
      const { previewId, deploymentId: statusId, label } = made
      return {
        body: { statusId, previewUrl: previewUrl(deps, label), previewId },
        headers: locationHeader(deps, PREVIEW_OPERATIONS.getPreview, { projectId, previewId }),
        audit: { subject: previewId, details: { projectId, branch } },
      }
    },
    listPreviews: async ({ db, caller: { organizationId }, params }) => ({
      body: await listPreviews(deps, db, { organizationId, ...params }),
    }),
    getPreview: async ({ db, caller: { organizationId }, params: { projectId, previewId } }) => ({
      body: await getPreview(deps, db, { organizationId, projectId }, previewId),
    }),
    async rebuildPreview({ tx, caller: { organizationId, id: actor }, params: { projectId, previewId } }) {
      const scope = { organizationId, projectId }
      const { ref, branch } = await requirePreview(tx, scope, previewId)
      await buildPreview(deps, tx, { ...scope, actor, trigger: 'request', ref, branch })
      return { body: await getPreview(deps, tx, scope, previewId), audit: { details: { projectId, branch } } }
    },
    async removePreview({ tx, caller: { organizationId }, params: { projectId, previewId } }) {
      const scope = { organizationId, projectId }
      const { branch } = await requirePreview(tx, scope, previewId)
      await removePreview(tx, scope, previewId, 'asked')
      return { body: { previewId }, audit: { details: { projectId, branch } } }
    },
  }
}
