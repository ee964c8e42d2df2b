;;; consult-notesearch-test.el --- Tests with the real consult and notesearch -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'consult-notesearch)

(defvar vault (getenv "VAULT"))

(ert-deftest consult-notesearch-finds-sections ()
  (let ((found (consult-notesearch--search "ramen bowl")))
    (should (= 1 (length found)))
    (should (string-prefix-p "Japan › Food › Ramen" (car found)))
    (should (equal (cons (concat vault "/travel/japan.md") 9)
                   (consult--lookup-candidate (car found) found)))
    (should (equal "  A bowl of ramen costs 900 yen & more."
                   (substring-no-properties (consult-notesearch--annotate (car found)))))))

(ert-deftest consult-notesearch-takes-any-query ()
  (dolist (query '("$(touch x)" "'; \"" "-x" "nothinglikeit"))
    (should-not (consult-notesearch--search query))))

(ert-deftest consult-notesearch-opens-at-the-line ()
  (cl-letf (((symbol-function 'consult--read)
             (lambda (&rest options)
               (should (functionp (car options)))
               (let ((found (consult-notesearch--search "pickled")))
                 (funcall (plist-get (cdr options) :state) 'return
                          (funcall (plist-get (cdr options) :lookup) (car found) found))))))
    (consult-notesearch))
  (should (equal (buffer-file-name) (concat vault "/it's #1; odd $(name).md")))
  (should (looking-at-p "Pickled plums")))

(ert-deftest consult-notesearch-says-what-is-wrong ()
  (let (told)
    (cl-letf (((symbol-function 'minibuffer-message)
               (lambda (_format sentence) (push sentence told))))
      (let ((consult-notesearch-vault "no such folder"))
        (should-not (consult-notesearch--search "ramen"))
        (should (string-match-p "no such folder" (car told))))
      (let ((consult-notesearch-program "no-such-program"))
        (should-not (consult-notesearch--search "ramen"))
        (should (string-match-p "install it" (car told)))))))

(provide 'consult-notesearch-test)
;;; consult-notesearch-test.el ends here
