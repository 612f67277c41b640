/** A reporter of jest that tells the parent process which test failed first, and of each file that passed. */
module.exports = class {
  onTestResult({ path }, { testResults, testExecError }) {
    const failed = testResults.find(({ status }) => status === 'failed');
    if (failed || testExecError)
      process.send?.({
        file: path,
        test: failed?.fullName ?? 'it can be loaded',
        error: String(testExecError?.message),
      });
    else process.send?.({ passed: path });
  }
};
