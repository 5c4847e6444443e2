/** Assignees and labels of feedback entries. */

import { type Static, Type } from 'typebox'
import { LABEL_COLOURS } from '../../../base/api/form-choices.ts'
import { MAX_LABEL_NAME_CHARACTERS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const MAX_ENTRY_LABELS = 20
export const MAX_PROJECT_LABELS = 200

const Colour = Type.Enum([...LABEL_COLOURS])
const LabelId = Type.String({ pattern: '^lbl_[0-9a-z]+$' })
const LabelName = Line(MAX_LABEL_NAME_CHARACTERS, {
  description: 'Unique within the project, ignoring case.',
})

export const FeedbackLabel = Type.Object(
  { id: LabelId, name: Type.String(), colour: Colour, createdAt: DateTime },
  closedObject('FeedbackLabel'),
)
export type FeedbackLabel = Static<typeof FeedbackLabel>

export const FeedbackLabelList = Type.Object(
  {
    labels: Type.Array(FeedbackLabel, { maxItems: MAX_PROJECT_LABELS, description: 'Sorted by name.' }),
  },
  closedObject('FeedbackLabelList'),
)
export type FeedbackLabelList = Static<typeof FeedbackLabelList>

export const FeedbackLabelParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  labelId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const CreateFeedbackLabelBody = Type.Object(
  { name: LabelName, colour: Type.Optional(Colour) },
  closedObject('CreateFeedbackLabel'),
)
export type CreateFeedbackLabelBody = Static<typeof CreateFeedbackLabelBody>

export const UpdateFeedbackLabelBody = Type.Object(
  { name: Type.Optional(LabelName), colour: Type.Optional(Colour) },
  closedObject('UpdateFeedbackLabel'),
)
export type UpdateFeedbackLabelBody = Static<typeof UpdateFeedbackLabelBody>

export const DeletedFeedbackLabel = Type.Object(
  {
    id: Type.String(),
    entries: Type.Integer({ minimum: 0, description: 'Number of entries that had the label.' }),
  },
  closedObject('DeletedFeedbackLabel'),
)

const LabelIds = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: MAX_ENTRY_LABELS,
})

export const ChangeFeedbackWorkBody = Type.Object(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
    assigneeId: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 64, description: 'ID of a member; null: unassigned.' }),
      ),
    ),
    addLabels: Type.Optional(LabelIds),
    removeLabels: Type.Optional(LabelIds),
  },
  closedObject('ChangeFeedbackWork'),
)
export type ChangeFeedbackWorkBody = Static<typeof ChangeFeedbackWorkBody>

export const ChangedFeedbackWork = Type.Object(
  {
    changed: Type.Array(
      Type.Object(
        { id: Type.String(), assigneeId: Nullable(Type.String()), labelIds: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
      { description: 'Previous values of what changed.' },
    ),
  },
  closedObject('ChangedFeedbackWork'),
)
export type ChangedFeedbackWork = Static<typeof ChangedFeedbackWork>

const FEEDBACK = '/internal/projects/{projectId}/feedback'
const LABEL_PATH = `${FEEDBACK}/labels/{labelId}` as const

export const FEEDBACK_WORK_OPERATIONS = {
  changeFeedbackWork: {
    ...ROW,
    method: 'PATCH',
    path: `${FEEDBACK}/work`,
    summary: 'Assign or unassign feedback, and add or remove labels',
    audit: 'feedback.assigned',
    permission: 'feedback',
    params: ProjectParams,
    body: ChangeFeedbackWorkBody,
    success: { status: 200, schema: ChangedFeedbackWork },
  },
  listFeedbackLabels: {
    ...ROW,
    method: 'GET',
    path: `${FEEDBACK}/labels`,
    summary: 'List the feedback labels of a project',
    permission: 'read',
    params: ProjectParams,
    success: { status: 200, schema: FeedbackLabelList },
  },
  createFeedbackLabel: {
    ...ROW,
    method: 'POST',
    path: `${FEEDBACK}/labels`,
    summary: 'Create a label, or return the existing one with that name',
    audit: 'feedback_label.created',
    permission: 'feedback',
    params: ProjectParams,
    body: CreateFeedbackLabelBody,
    success: { status: 201, schema: FeedbackLabel, headers: { Location: 'URL of the label.' } },
  },
  updateFeedbackLabel: {
    ...ROW,
    method: 'PATCH',
    path: LABEL_PATH,
    summary: 'Update the name or color of a label',
    audit: 'feedback_label.updated',
    permission: 'feedback',
    params: FeedbackLabelParams,
    body: UpdateFeedbackLabelBody,
    success: { status: 200, schema: FeedbackLabel },
  },
  deleteFeedbackLabel: {
    ...ROW,
    method: 'DELETE',
    path: LABEL_PATH,
    summary: 'Delete a label and remove it from all entries',
    audit: 'feedback_label.deleted',
    permission: 'feedback',
    params: FeedbackLabelParams,
    success: { status: 200, schema: DeletedFeedbackLabel },
  },
} as const satisfies Record<string, DashboardOperation>
