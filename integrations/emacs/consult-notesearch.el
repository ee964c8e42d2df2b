;;; consult-notesearch.el --- Find sections of notes by words and by meaning -*- lexical-binding: t; -*-

;; Author: The notesearch authors
;; Version: 1.0
;; Package-Requires: ((emacs "28.1") (consult "0.32"))
;; Keywords: convenience, files
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `consult-notesearch' asks the program notesearch while you type, previews
;; the sections it finds, and opens the one you choose at its line.

;;; Code:

(require 'consult)
(eval-when-compile (require 'subr-x))

(defgroup consult-notesearch nil
  "Find sections of notes."
  :group 'consult)

(defcustom consult-notesearch-program "notesearch"
  "The program that searches."
  :type 'string)

(defcustom consult-notesearch-vault nil
  "The notes folder, or its name in the list of notesearch."
  :type '(choice (const :tag "The one used last" nil) string))

(defvar consult-notesearch--history nil)

(defun consult-notesearch--command (query)
  "Return the arguments that search for QUERY, which no shell reads."
  `("search" "--json" "--limit" "30"
    ,@(when consult-notesearch-vault (list "--vault" consult-notesearch-vault))
    "--" ,query))

(defun consult-notesearch--search (query)
  "Return candidates for the sections that QUERY finds, the best first."
  (with-temp-buffer
    (let ((said (make-temp-file "consult-notesearch")))
      (unwind-protect
          (condition-case nil
              (pcase (apply #'call-process consult-notesearch-program nil (list t said) nil
                            (consult-notesearch--command query))
                ((or 0 1) (goto-char (point-min))
                 (consult-notesearch--candidates (json-parse-buffer :object-type 'alist)))
                (_ (consult-notesearch--complain
                    (with-temp-buffer
                      (insert-file-contents said)
                      (car (last (split-string (buffer-string) "\n" t)))))))
            (file-missing
             (consult-notesearch--complain
              "notesearch was not found: install it, or set consult-notesearch-program")))
        (delete-file said)))))

(defun consult-notesearch--complain (sentence)
  "Show SENTENCE, and return no candidates."
  (minibuffer-message "%s" sentence)
  nil)

(defun consult-notesearch--candidates (answer)
  "Return candidates for all sections of ANSWER, which was JSON.
Each is “Title › Heading”, with the place as `consult--candidate'."
  (let ((folders (alist-get 'folders answer))
        (index -1))
    (mapcan
     (lambda (note)
       (let-alist note
         (mapcar
          (lambda (section)
            (propertize
             (consult--tofu-append
              (consult-notesearch--name .title (append (alist-get 'section_path section) nil))
              (setq index (1+ index)))
             'consult--candidate (cons (expand-file-name .path (alist-get (intern .vault) folders))
                                       (alist-get 'passage_line section))
             'consult-notesearch-text (alist-get 'snippet section)))
          .sections)))
     (alist-get 'results answer))))

(defun consult-notesearch--name (title headings)
  "Return TITLE and HEADINGS as one text."
  (string-join (cons title (remove title headings)) " › "))

(defun consult-notesearch--annotate (candidate)
  "Return the beginning of CANDIDATE's passage as plain text."
  (when-let ((text (get-text-property 0 'consult-notesearch-text candidate)))
    (concat "  " (propertize (truncate-string-to-width (string-join (split-string text) " ") 120)
                             'face 'completions-annotations))))

(defun consult-notesearch--marker (place open)
  "Return a marker at PLACE, a file and a line, in the buffer that OPEN returns."
  (when place
    (consult--marker-from-line-column (funcall open (car place)) (cdr place) 0)))

(defun consult-notesearch--state ()
  "Return what previews and opens places."
  (let ((open (consult--temporary-files))
        (jump (consult--jump-state)))
    (lambda (action place)
      (unless place
        (funcall open))
      (funcall jump action
               (consult-notesearch--marker
                place (if (eq action 'return) #'find-file open))))))

;;;###autoload
(defun consult-notesearch (&optional initial)
  "Find a section of your notes, and go to the line that was found.
INITIAL is the text to begin with."
  (interactive)
  (let ((consult-async-split-style nil)) ; the whole input is the query
    (consult--read (consult--dynamic-collection #'consult-notesearch--search)
                   :prompt "Notes: "
                   :initial initial
                   :annotate #'consult-notesearch--annotate
                   :lookup #'consult--lookup-candidate
                   :state (consult-notesearch--state)
                   :history '(:input consult-notesearch--history)
                   :category 'consult-notesearch
                   :require-match t
                   :sort nil)))

(provide 'consult-notesearch)
;;; consult-notesearch.el ends here
