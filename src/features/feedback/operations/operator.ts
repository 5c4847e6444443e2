/** Import of feedback from offline bundles, called by the command line on the server's machine. */

import { Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { FeedbackFile, MAX_FEEDBACK_FILE_BYTES } from './feedback-file.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const OPERATOR_FEEDBACK_OPERATIONS = {
  importFeedback: {
    ...ROW,
    method: 'POST',
    path: '/internal/operator/feedback-file',
    summary: 'Import a feedback file, either completely or not at all',
    permission: 'machine',
    audit: { none: "Recorded in the site's organization." },
    body: FeedbackFile,
    maxBodyBytes: MAX_FEEDBACK_FILE_BYTES,
    success: {
      status: 200,
      schema: Type.Object(
        {
          projectId: Type.String(),
          entries: count('Entries in the file.'),
          added: count('New entries.'),
          changed: count('Existing entries that gained data.'),
          known: count('Existing entries identical to the file.'),
          conflicting: Type.Array(Type.String(), {
            description: 'IDs of skipped entries: they already exist with another page or kind.',
          }),
        },
        { additionalProperties: false, title: 'ImportedFeedback' },
      ),
    },
  },
} as const satisfies Record<string, DashboardOperation>
