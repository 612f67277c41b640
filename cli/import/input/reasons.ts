/** Why settings are not carried over, where several imports say the same. */
export const NO_COUNTERPART = 'has no counterpart in Headstart';
export const OWN_PRIORITY_CLASS = 'Headstart has its own PriorityClass, with value -10';
export const RESTRICTED = 'pause pods run under the restricted Pod Security level';
export const NO_SERVICE_ACCOUNT = 'pause pods need no service account';
export const NOT_CONFIGURATION = 'is not configuration';
