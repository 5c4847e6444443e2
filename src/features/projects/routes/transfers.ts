/** Routes for transferring projects to other organizations. */
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { Handlers } from '../../../routing/handler.ts'
import {
  acceptTransfer,
  declineTransfer,
  listTransfers,
  offerTransfer,
  projectTransfer,
  withdrawTransfer,
} from '../lifecycle/project-transfers.ts'
import type { TRANSFER_OPERATIONS } from '../operations/transfer.ts'

export function transferHandlers(deps: { cursors: CursorCodec }): Handlers<typeof TRANSFER_OPERATIONS> {
  return {
    getProjectTransfer: async ({ db, caller: { organizationId, kind }, params }) => ({
      body: await projectTransfer(db, { organizationId, ...params }, kind === 'operator'),
    }),
    offerTransfer: async ({ tx, caller: { organizationId, id: actor, sessionId }, params, body }) => ({
      body: await offerTransfer(tx, { organizationId, actor, sessionId, ...params }, body.organizationId),
    }),
    withdrawTransfer: async ({ tx, caller: { organizationId, id: actor }, params }) => ({
      body: await withdrawTransfer(tx, { organizationId, actor, ...params }),
    }),
    listTransfers: async ({ db, caller: { organizationId }, query }) => ({
      body: await listTransfers(deps, db, organizationId, query),
    }),
    acceptTransfer: async ({ tx, caller: { organizationId, id: actor }, params: { transferId } }) => ({
      body: await acceptTransfer(tx, { organizationId, actor }, transferId),
    }),
    declineTransfer: async ({ tx, caller: { organizationId, id: actor }, params: { transferId } }) => ({
      body: await declineTransfer(tx, { organizationId, actor }, transferId),
    }),
  }
}
