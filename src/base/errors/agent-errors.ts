/** Errors of agent jobs and automations; part of the error catalogue. */
export const AGENT_ERRORS = {
  too_many_code_repositories: {
    status: 409,
    sentence: 'The project has 10 code repositories, which is the most.',
    remedy: 'Remove one first.',
  },
  code_repository_name_taken: {
    status: 409,
    sentence: 'The project has a code repository with this name already.',
    remedy: 'Choose another name, or change the one that is there.',
  },
  too_many_automations: {
    status: 409,
    sentence: 'The project has 50 automations, which is the most.',
    remedy: 'Delete one first.',
  },
  automation_kind_fixed: {
    status: 409,
    sentence: 'An automation keeps the kind of its trigger.',
    remedy: 'Make another automation, and delete this one.',
  },
  automation_without_address: {
    status: 409,
    sentence: 'Only an automation whose trigger is a webhook has an address.',
    remedy: 'Make an automation of the kind `webhook`.',
  },
  agent_job_not_active: {
    status: 409,
    sentence: 'The job is over and cannot be cancelled.',
    remedy: 'Send a message to go on with it, or start a new job.',
    isWhole: true,
  },
  agent_job_archived: {
    status: 409,
    sentence: 'The job is archived and takes no more messages.',
    remedy: 'Start a new one.',
  },
  agent_job_unpublishable: {
    status: 409,
    sentence: 'The job has no checked change that is left to be published.',
    remedy: 'Send a message to go on with it.',
    isWhole: true,
  },
  agent_job_at_work: {
    status: 409,
    sentence: 'The agent is at work on this change.',
    remedy: 'Decide when it has finished, or cancel the job first.',
  },
  pull_request_decided: {
    status: 409,
    sentence: 'The pull request of this job is merged or closed already.',
    remedy: 'Start a new job.',
  },
  nothing_to_review: {
    status: 409,
    sentence: 'The job has changed nothing that could be decided on.',
    remedy: 'Send a message that says what to change.',
    isWhole: true,
  },
  reviewed_elsewhere: {
    status: 409,
    sentence: 'The pull request of this job is at a forge, under its `prLink`: decide on it there.',
    remedy: 'Open `prLink`.',
    isWhole: true,
  },
  merge_conflict: {
    status: 409,
    sentence: 'The branch has changed in the same places since.',
    remedy: 'Send the job a message: its next turn takes in what came, and brings both together.',
  },
  risks_unconfirmed: {
    status: 409,
    sentence: 'Every file of this change has a high risk, and it needs a second yes.',
    remedy: 'Look at what the details name, then accept once more with `confirmRisks=true`.',
  },
  review_file_gone: {
    status: 404,
    sentence: 'This file of the rendered change was damaged and is not there any more.',
    remedy: 'Send the job a message: the next check renders the change again.',
    isWhole: true,
  },
} as const
