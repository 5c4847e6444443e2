/** Errors of deployments and exports; parts of the error catalogue. */
export const DEPLOYMENT_ERRORS = {
  deployment_not_running: {
    status: 409,
    sentence: 'The deployment is over and cannot be cancelled.',
    remedy: 'Nothing is left to do.',
    isWhole: true,
  },
  deployment_not_failed: {
    status: 409,
    sentence: 'Only a deployment that has failed can be tried again.',
    remedy: 'Start a new one.',
  },
  version_not_kept: {
    status: 409,
    sentence: 'The files of this version are not there, so it cannot be put in front.',
    remedy: 'Publish its commit again.',
  },
  previews_not_set_up: {
    status: 409,
    sentence: 'This server has no domain for previews.',
    remedy: 'Ask whoever runs it to set one on the page Server, or with OCTAVO_PREVIEW_DOMAIN.',
  },
  preview_of_folder: {
    status: 409,
    sentence: 'The source of this project is a folder, which has no branches to preview.',
    remedy: 'Make a git repository its source.',
  },
  push_not_signed: {
    status: 401,
    sentence: 'This message is not signed with the secret of the push webhook of this project.',
    remedy: 'Make a secret on the dashboard, under Deployments, and give it to the webhook at the forge.',
  },
  project_archived: {
    status: 409,
    sentence: 'The project is archived: it can be read and deleted, but not changed.',
    remedy: 'Unarchive it first.',
  },
  site_archived: {
    status: 403,
    sentence: 'This site is archived: its pages stay, and it takes nothing from readers.',
    remedy: 'No action is needed.',
  },
  project_not_archived: {
    status: 409,
    sentence: 'The project is not archived.',
    remedy: 'No action is needed.',
  },
  project_not_deleted: {
    status: 409,
    sentence: 'This project is not deleted.',
    remedy: 'Nothing is left to do.',
    isWhole: true,
  },
  project_at_work: {
    status: 409,
    sentence: 'Deployments, exports or agent jobs of this project are at work, so it cannot be transferred.',
    remedy: 'Wait for their end, or cancel them.',
  },
  transfer_to_itself: {
    status: 409,
    sentence: 'The project belongs to this organization already.',
    remedy: 'Name another organization.',
  },
  too_many_offers: {
    status: 409,
    sentence: 'This organization has as many open offers of projects as it may have.',
    remedy:
      'Withdraw some, or wait until they are accepted, declined or over: an offer stays open for 7 days.',
  },
  too_many_incoming_offers: {
    status: 409,
    sentence: 'The other organization has as many open offers as it may have.',
    remedy: 'Ask its owners to accept or decline some, and try again.',
  },
  nothing_published: {
    status: 409,
    sentence: 'Nothing of this project has been published yet.',
    remedy: 'Publish it first.',
  },
} as const

export const EXPORT_ERRORS = {
  export_not_completed: {
    status: 409,
    sentence: 'The export has not completed.',
    remedy: 'Poll the job until its status is `completed`.',
    isWhole: true,
  },
  export_not_running: {
    status: 409,
    sentence: 'The export is over and cannot be cancelled.',
    remedy: 'Nothing is left to do.',
    isWhole: true,
  },
} as const
